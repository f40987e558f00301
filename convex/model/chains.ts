/**
 * Append-only chains of entries: each carries its number and a hash over itself and the hash before it,
 * so that a changed, removed or inserted entry shows.
 *
 * One chain per person, so that nobody waits for anybody else's entry. What a chain cannot show: that
 * its newest entries were removed, or that somebody with the database rewrote the rest of it. Entries
 * from before there were chains have no number. Not here: the entries (model/audit,
 * model/securityEvents).
 */
import { sha256Hex } from "./crypto";

/** An entry's place in its chain; absent in entries from before there were chains. */
type Link = { readonly seq?: number | undefined; readonly hash?: string | undefined };
type StoredLink = Link & { readonly _id: string; readonly _creationTime: number };

type Fields = Readonly<Record<string, string | number | undefined>>;

/** Sorted, so that the order in which fields are stored does not matter. */
function hashOf(seq: number, hashBefore: string, fields: Fields): string {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const sorted = present.sort(([one], [other]) => (one < other ? -1 : 1));
  return sha256Hex(JSON.stringify([seq, hashBefore, sorted]));
}

/** The place of a new entry, after the newest one in its chain. */
export function linkAfter(newest: Link | null, fields: Fields): { seq: number; hash: string } {
  const seq = (newest?.seq ?? 0) + 1;
  return { seq, hash: hashOf(seq, newest?.hash ?? "", fields) };
}

/** What is wrong with an entry's place, or null. `findAt` returns the entries with a given number, at most two. */
export async function linkProblem(
  entry: StoredLink,
  findAt: (seq: number) => Promise<StoredLink[]>,
): Promise<string | null> {
  const { seq, hash, _id, ...stored } = entry;
  if (seq === undefined) {
    const [first] = await findAt(1);
    const isOlder = first === undefined || stored._creationTime < first._creationTime;
    return isOlder ? null : "has no number, but is younger than its chain";
  }
  const before: Link[] = seq === 1 ? [{ hash: "" }] : await findAt(seq - 1);
  if (before.length !== 1) return "has not one entry before it";
  const { _creationTime, ...fields } = stored as Fields;
  const expected = hashOf(seq, before[0]?.hash ?? "", fields);
  return hash === expected ? null : "is not what was written, or does not follow the one before it";
}
