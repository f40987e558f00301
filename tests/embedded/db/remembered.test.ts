/** The commit history kept for long queries is bounded by size. */
import { expect, test } from "vitest";
import { SubscriptionIndex } from "../../../embedded/db/subscriptions";
import { memoryDatabase, mutate, schema, table } from "./support";

const MEBIBYTE = 1024 * 1024;

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
  const text = "x".repeat(MEBIBYTE / 2);
  for (let n = 0; n < 40; n++) await mutate(db, (tx) => tx.insertValue("notes", { text }));
  expect(isKnown(seen[0]!)).toBe(false);
  expect(isKnown(seen.at(-2)!)).toBe(true);
  await db.close();
});
