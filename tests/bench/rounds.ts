/** Alternating samples: A, B, A, B …; rounds in which the disk's speed changed are void. */
import { fdatasyncMs } from "./machine";
import { progress } from "./report";
import { median } from "./statistics";

/** A round is void when its slowest disk probe took this many times as long as the fastest. */
const DRIFT_MAX = 2;

/** Rounds and times of every row. */
export interface Pace {
  readonly rounds: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export type Round<Kind extends string, Sample> = Readonly<Record<Kind, Sample>> & {
  /** Median of this round's probes. */
  readonly fdatasyncMs: number;
};

/** Number of void rounds after which they are used all the same. */
const VOID_MAX = 3;

/**
 * Takes a sample of each kind in turn, round after round. Void rounds are repeated. If too many are void they
 * are used all the same, and this is printed.
 */
export async function alternate<Kind extends string, Sample>(
  title: string,
  kinds: readonly Kind[],
  rounds: number,
  sample: (kind: Kind) => Promise<Sample>,
): Promise<Round<Kind, Sample>[]> {
  const valid: Round<Kind, Sample>[] = [];
  const voided: Round<Kind, Sample>[] = [];
  while (valid.length < rounds && voided.length < VOID_MAX) {
    const probesMs = [fdatasyncMs()];
    const samples: Partial<Record<Kind, Sample>> = {};
    for (const kind of kinds) {
      progress(`${title}: round ${valid.length + 1} of ${rounds}, ${kind}`);
      samples[kind] = await sample(kind);
      probesMs.push(fdatasyncMs());
    }
    const isVoid = Math.max(...probesMs) > Math.min(...probesMs) * DRIFT_MAX;
    const round = { ...(samples as Record<Kind, Sample>), fdatasyncMs: median(probesMs) };
    (isVoid ? voided : valid).push(round);
  }
  progress("");
  const missing = Math.max(0, rounds - valid.length);
  if (missing === 0) return valid;
  const kept = voided.slice(-missing);
  console.log(
    `${title}: ${valid.length} valid rounds and ${kept.length} in which the disk changed its pace`,
  );
  return [...valid, ...kept];
}
