/** The order in which connections are served, so that whoever has hundreds of them keeps nobody else waiting. */
import { isStranger } from "../runtime/sender.ts";

interface OfSomebody {
  /** Whose it is, as from `senderOf`; those with an empty one are taken for as many people. */
  readonly sender: string;
}

/** All strangers, as one sender. */
const STRANGERS = "@";

/**
 * One of each sender, then the second of each, and so on. Strangers take turns among themselves, and have one for each
 * of a person's: somebody with hundreds of addresses keeps nobody else waiting, either.
 */
export function inRounds<T extends OfSomebody>(all: Iterable<T>): T[] {
  const list = [...all];
  const strangers = list.filter(({ sender }) => isStranger(sender));
  if (strangers.length < 2) return roundsOf(list, ({ sender }) => sender);
  const inTheirRounds = roundsOf(strangers, ({ sender }) => sender).values();
  const ordered = list.map((one) =>
    isStranger(one.sender) ? (inTheirRounds.next().value ?? one) : one,
  );
  return roundsOf(ordered, ({ sender }) => (isStranger(sender) ? STRANGERS : sender));
}

function roundsOf<T>(all: readonly T[], senderOf: (one: T) => string): T[] {
  const ordered: T[] = [];
  const later = new Map<string, T[]>();
  for (const one of all) {
    const sender = senderOf(one);
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
