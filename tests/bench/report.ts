/** The result of a row, and how it is printed. */
import { describeRange, median } from "./statistics";

export interface Row {
  /** Number of the requirement, e.g. "1". */
  readonly number: string;
  readonly name: string;
  /** Our figures; `unit` names their unit. */
  readonly ours: readonly number[];
  /** The figures they are compared with; absent for an absolute limit. */
  readonly other?: { readonly name: string; readonly values: readonly number[] };
  readonly unit: string;
  /** One ratio for each round; the figure itself for an absolute limit. */
  readonly ratios: readonly number[];
  /** Null for a figure that is only informative. */
  readonly target: { readonly atLeast: number } | { readonly atMost: number } | null;
  /** Additional facts: CPU use, what was not counted. */
  readonly notes?: readonly string[];
}

/** Shows the progress on the terminal, in a line that the next call replaces; "" removes it. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

/** One ratio for each round. */
export function ratiosOf<Round>(
  rounds: readonly Round[],
  over: (round: Round) => number,
  under: (round: Round) => number,
): number[] {
  return rounds.map((round) => over(round) / under(round));
}

/** True when the median reaches the target, or there is no target. */
export function isReached({ ratios, target }: Row): boolean {
  if (target === null) return true;
  const middle = median(ratios);
  return "atLeast" in target ? middle >= target.atLeast : middle <= target.atMost;
}

function describeTarget({ target }: Row): string {
  if (target === null) return "none";
  return "atLeast" in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
}

export function printRow(row: Row): void {
  const { number, name, ours, other, unit, ratios, target, notes = [] } = row;
  const wanted = describeTarget(row);
  const reached = target === null ? "" : "reached";
  const verdict = isReached(row) ? reached : "SHORT";
  console.log(`\n${number}  ${name}`);
  console.log(`    ours    ${describeRange(ours)} ${unit}`);
  if (other !== undefined) {
    console.log(`    ${other.name.padEnd(7)} ${describeRange(other.values)} ${unit}`);
    console.log(`    ratio   ${describeRange(ratios)}   target ${wanted}   ${verdict}`);
  } else {
    console.log(`    target  ${wanted} ${unit}   ${verdict}`);
  }
  for (const note of notes) console.log(`    note    ${note}`);
}

/** All rows again, one line each. */
export function printSummary(rows: readonly Row[]): void {
  console.log("\n| # | figure | ours | compared with | ratio, median (range) | target | |");
  console.log("|---|---|---|---|---|---|---|");
  for (const row of rows) {
    const { number, name, ours, other, unit, ratios, target } = row;
    const wanted = describeTarget(row);
    const against = other === undefined ? "" : `${other.name}: ${describeRange(other.values)}`;
    const ratio = other === undefined ? "" : describeRange(ratios);
    const reached = target === null ? "" : "reached";
    const verdict = isReached(row) ? reached : "**short**";
    const figures = `${describeRange(ours)} ${unit} | ${against} | ${ratio} | ${wanted}`;
    console.log(`| ${number} | ${name} | ${figures} | ${verdict} |`);
  }
}
