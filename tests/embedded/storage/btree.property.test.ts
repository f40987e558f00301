import fc from "fast-check";
import { expect, test } from "vitest";
import { longer } from "../../support/chance";
import { BTree, type BTreeSnapshot } from "../../../embedded/storage/btree";
import { IntervalTree } from "../../../embedded/db/intervalTree";

const key = fc.integer({ min: 0, max: 400 }).map((n) => String(n).padStart(3, "0"));
const change = fc.record({ key, value: fc.option(fc.nat(), { nil: null }), keep: fc.boolean() });

function entries(tree: BTreeSnapshot<number>, low: string, high: string, isReverse: boolean) {
  const cursor = tree.range(low, high, isReverse);
  const found: [string, number][] = [];
  while (cursor.advance()) found.push([cursor.key, cursor.value!]);
  return found;
}

test("a tree behaves as a sorted map, and its snapshots never change", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 600 }), key, key, (changes, low, high) => {
      const tree = new BTree<number>();
      const model = new Map<string, number>();
      const kept: [BTreeSnapshot<number>, [string, number][]][] = [];
      const sorted = () => [...model].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const { key: changed, value, keep } of changes) {
        if (keep && kept.length < 5) kept.push([tree.snapshot(), sorted()]);
        if (value === null) {
          tree.delete(changed);
          model.delete(changed);
        } else {
          tree.set(changed, value);
          model.set(changed, value);
        }
      }
      kept.push([tree.snapshot(), sorted()]);
      for (const [snapshot, expected] of kept) {
        expect(entries(snapshot, "", "~", false)).toEqual(expected);
        const inside = expected.filter(([one]) => one >= low && one < high);
        expect(entries(snapshot, low, high, false)).toEqual(inside);
        expect(entries(snapshot, low, high, true)).toEqual(inside.reverse());
        for (const [one, value] of expected) expect(snapshot.get(one)).toBe(value);
      }
    }),
    longer(150),
  );
});

test("an interval tree reports exactly the intervals that contain a key", () => {
  const interval = fc.record({ low: key, high: key, isRemoval: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(interval, { maxLength: 120 }),
      fc.array(key, { maxLength: 20 }),
      (list, probes) => {
        const tree = new IntervalTree<number>();
        const live = new Map<number, { low: string; high: string }>();
        list.forEach(({ low, high, isRemoval }, owner) => {
          const victim = [...live.keys()][owner % Math.max(1, live.size)];
          if (isRemoval && victim !== undefined) {
            const gone = live.get(victim)!;
            tree.remove(gone.low, gone.high, victim);
            live.delete(victim);
          } else {
            tree.add(low, high, owner);
            live.set(owner, { low, high });
          }
        });
        for (const probe of probes) {
          const found: number[] = [];
          tree.visit(probe, (owner) => found.push(owner));
          const expected = [...live].filter(([, { low, high }]) => low <= probe && probe < high);
          expect(found.sort()).toEqual(expected.map(([owner]) => owner).sort());
        }
      },
    ),
    longer(300),
  );
});
