/** Which notifications arrived since the last look. */

interface Arrived {
  _id: string;
  isRead: boolean;
}

/** Unread arrivals, oldest first. `known` null is the first look, when nothing counts as new. */
export function arrivals<Item extends Arrived>(
  known: ReadonlySet<string> | null,
  items: readonly Item[],
): { fresh: Item[]; seen: ReadonlySet<string> } {
  const seen = new Set([...(known ?? []), ...items.map((item) => item._id)]);
  if (known === null) return { fresh: [], seen };
  return {
    fresh: items.filter((item) => !item.isRead && !known.has(item._id)).reverse(),
    seen,
  };
}
