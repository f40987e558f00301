import fc from "fast-check";
import { expect, test } from "vitest";
import type { Transaction } from "../../../embedded/db/types";
import { longer } from "../../support/chance";
import { memoryDatabase, range, schema, table } from "./support";

const group = fc.integer({ min: 0, max: 3 });
const write = fc.record({
  group,
  n: fc.integer({ min: 0, max: 4 }),
  kind: fc.constantFrom("insert", "patch", "remove"),
  which: fc.nat(),
  isApplied: fc.boolean(),
});
const read = fc.record({
  group,
  n: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
  limit: fc.constantFrom(0, 1, 2, 3, 5, 6, Infinity),
  order: fc.constantFrom("asc" as const, "desc" as const),
});
type Read = typeof read extends fc.Arbitrary<infer T> ? T : never;

const namesOf = (docs: readonly { id: string }[]): string[] => docs.map(({ id }) => id);
const seenBy = (transaction: Transaction) => ({
  ranges: transaction.readSet.ranges.map(({ low, high }) => ({ low, high })),
  metrics: transaction.metrics,
});

function readAtOnce(transaction: Transaction, { group: of, n, limit, order }: Read): string[] {
  const bounds = [{ type: "Eq" as const, fieldPath: "group", value: of }];
  if (n !== null) bounds.push({ type: "Eq", fieldPath: "n", value: n });
  const source = { tableName: "rows", indexName: "by_group", bounds, isReverse: order === "desc" };
  return namesOf(transaction.openRange(source)(limit));
}

function readAsStream(transaction: Transaction, { group: of, n, limit, order }: Read): string[] {
  const { source } = range(
    "rows.by_group",
    n === null
      ? [["Eq", "group", of]]
      : [
          ["Eq", "group", of],
          ["Eq", "n", n],
        ],
    order,
  );
  const operators = limit === Infinity ? [] : [{ limit }];
  const stream = transaction.openStream({ source, operators });
  const found: string[] = [];
  for (let doc = stream.next(); doc !== null; doc = stream.next()) found.push(doc.id);
  return found;
}

test("a range read at once has the documents, the read set and the costs of its stream", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { maxLength: 25, size: "max" }),
      fc.boolean(),
      fc.array(write, { maxLength: 4 }),
      fc.array(read, { minLength: 1, maxLength: 8 }),
      async (writes, areAllApplied, own, reads) => {
        const db = await memoryDatabase(schema(table("rows", { by_group: ["group", "n"] })));
        const ids: string[] = [];
        const apply = (
          transaction: Transaction,
          { group: of, n, kind, which }: (typeof writes)[0],
        ) => {
          const at = which % Math.max(1, ids.length);
          const id = ids[at];
          if (kind === "insert" || id === undefined) {
            ids.push(transaction.insertValue("rows", { group: of, n }));
          } else if (kind === "patch") {
            transaction.patchValue(id, { n });
          } else {
            transaction.remove(id);
            ids.splice(at, 1);
          }
        };
        for (const one of writes) {
          const transaction = db.beginMutation(1);
          apply(transaction, one);
          await db.commit(transaction).durable;
          if (one.isApplied) await db.drain();
        }
        // Then all that is read at once comes from the store.
        if (areAllApplied) await db.drain();
        const [left, right] = [db.beginMutation(2), db.beginMutation(2)];
        // Ids are random, so the same write on both is a patch or a removal.
        for (const { n, kind, which } of own) {
          const id = ids[which % Math.max(1, ids.length)];
          for (const transaction of [left, right]) {
            if (id === undefined || transaction.get(id) === null) continue;
            if (kind === "remove") transaction.remove(id);
            else transaction.patchValue(id, { n });
          }
        }
        for (const one of reads) {
          // Twice: from the store, and from the cache.
          for (let turn = 0; turn < 2; turn++) {
            expect(readAtOnce(left, one)).toEqual(readAsStream(right, one));
            expect(seenBy(left)).toEqual(seenBy(right));
          }
        }
        left.close();
        right.close();
        await db.close();
      },
    ),
    longer(60),
  );
});
