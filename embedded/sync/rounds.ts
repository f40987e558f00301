/** The order in which connections are served, so that whoever has hundreds of them keeps nobody else waiting. */

interface OfSomebody {
  /** Whose it is; empty for strangers, who are taken for as many people. */
  readonly person: string;
}

/** One of each person, then the second of each, and so on. */
export function inRounds<T extends OfSomebody>(all: Iterable<T>): T[] {
  const ordered: T[] = [];
  const later = new Map<string, T[]>();
  for (const one of all) {
    const more = later.get(one.person);
    if (more !== undefined) more.push(one);
    else {
      ordered.push(one);
      if (one.person !== "") later.set(one.person, []);
    }
  }
  let lists = [...later.values()];
  for (let round = 0; lists.length > 0; round += 1) {
    lists = lists.filter(({ length }) => length > round);
    for (const list of lists) ordered.push(list[round]!);
  }
  return ordered;
}
