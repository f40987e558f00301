/** What open queries cost in memory: a bounded history of commits, and nothing once they are gone. */
import { expect, test } from "vitest";
import { SubscriptionIndex } from "../../../embedded/db/subscriptions";
import { usedHeapBytes } from "../../support/heap";
import { memoryDatabase, mutate, schema, table } from "./support";

const MIB = 1024 * 1024;

test("large documents are forgotten before small ones, and older queries run again", async () => {
  const db = await memoryDatabase(schema(table("notes")));
  const index = new SubscriptionIndex<string>();
  const seen: bigint[] = [];
  db.onDurable((commits) => {
    index.onCommits(commits);
    seen.push(...commits.map(({ ts }) => ts));
  });
  const untouched = { points: ["nobody's"], ranges: [] };
  const isKnown = (ts: bigint): boolean => index.add(untouched, ts, "query") !== null;
  for (let n = 0; n < 20; n++) await mutate(db, (tx) => tx.insertValue("notes", { n }));
  expect(isKnown(seen[0]!)).toBe(true);
  const text = "x".repeat(MIB / 2);
  for (let n = 0; n < 40; n++) await mutate(db, (tx) => tx.insertValue("notes", { text }));
  expect(isKnown(seen[0]!)).toBe(false);
  expect(isKnown(seen.at(-2)!)).toBe(true);
  await db.close();
});

test("queries that were closed leave nothing behind, whatever they had read", () => {
  const index = new SubscriptionIndex<number>();
  const before = usedHeapBytes();
  for (let query = 0; query < 20_000; query++) {
    // Each in an index of its own.
    const key = String(query).padStart(1_000, "0").split("").reverse().join("");
    const readSet = { points: [key], ranges: [{ low: key, high: `${key}\xff` }] };
    index.remove(index.add(readSet, 1n, query)!, query);
  }
  expect(usedHeapBytes() - before).toBeLessThan(4 * MIB);
  // Uses the index, which would otherwise be garbage, too.
  expect(index.onCommits([])).toEqual(new Set());
});
