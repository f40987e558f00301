/** The order in which connections are served, so that whoever has hundreds of them keeps nobody else waiting. */

interface OfSomebody {
  /** Whose it is, as from `senderOf`; those with an empty one are taken for as many people. */
  readonly sender: string;
}

/** One of each sender, then the second of each, and so on. */
export function inRounds<T extends OfSomebody>(all: Iterable<T>): T[] {
  const ordered: T[] = [];
  const later = new Map<string, T[]>();
  for (const one of all) {
    const { sender } = one;
    const more = later.get(sender);
    if (more !== undefined) more.push(one);
    else {
      ordered.push(one);
      if (sender !== "") later.set(sender, []);
    }
  }
  let lists = [...later.values()];
  for (let round = 0; lists.length > 0; round += 1) {
    lists = lists.filter(({ length }) => length > round);
    for (const list of lists) ordered.push(list[round]!);
  }
  return ordered;
}
