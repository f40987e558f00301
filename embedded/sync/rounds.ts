/** The order in which connections are served, so that whoever has hundreds of them keeps nobody else waiting. */

interface OfSomebody {
  /** Whose it is; empty for strangers, who are taken for as many people. */
  readonly person: string;
}

/** One of each person, then the second of each, and so on. */
export function inRounds<T extends OfSomebody>(all: Iterable<T>): T[] {
  const counts = new Map<string, number>();
  const rounds: T[][] = [];
  for (const one of all) {
    const before = one.person === "" ? 0 : (counts.get(one.person) ?? 0);
    counts.set(one.person, before + 1);
    (rounds[before] ??= []).push(one);
  }
  return rounds.flat();
}
