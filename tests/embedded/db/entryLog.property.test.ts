import fc from "fast-check";
import { expect, test } from "vitest";
import { EntryLog, REMOVED, type Layer } from "../../../embedded/db/entryLog";
import { ListLayer, MergedCursor } from "../../../embedded/db/snapshot";
import { longer } from "../../support/chance";

type Entries = [string, string | undefined][];

const key = fc.integer({ min: 0, max: 60 }).map((n) => `idx0${String(n).padStart(2, "0")}`);
const writes = fc.array(fc.record({ key, isRemoval: fc.boolean() }), { maxLength: 6 });
/** Reading puts what was written before in order, whatever is read. */
const commit = fc.record({ writes, isReadAfter: fc.boolean() });

const compare = ([a]: Entries[number], [b]: Entries[number]): number => (a < b ? -1 : 1);

function restOf(layer: Layer): Entries {
  const found: Entries = [];
  while (layer.advance()) found.push([layer.key, layer.value]);
  return found;
}

function cursorOn(log: EntryLog, low: string, high: string, isReverse: boolean, seq: number) {
  return new MergedCursor(log.range(low, high, isReverse, seq), new ListLayer([]), isReverse);
}

/** At most `count` entries. */
function taken(cursor: MergedCursor, count: number): Entries {
  const found: Entries = [];
  while (found.length < count) {
    const entry = cursor.next();
    if (entry === null) break;
    found.push([entry.key, entry.id]);
  }
  return found;
}

test("a view of the entries sees its own commit and those before, whatever is written meanwhile", () => {
  fc.assert(
    fc.property(
      fc.array(commit, { minLength: 2, maxLength: 40 }),
      fc.nat(),
      key,
      key,
      fc.boolean(),
      fc.nat({ max: 20 }),
      (commits, chosen, low, high, isReverse, readBefore) => {
        const log = new EntryLog();
        const model = new Map<string, string>();
        const viewSeq = 1 + (chosen % (commits.length - 1));
        const write = (seq: number): void => {
          log.oldestSeq = Math.min(seq - 1, viewSeq);
          const { writes: written, isReadAfter } = commits[seq - 1]!;
          for (const { key: one, isRemoval } of written) {
            const id = isRemoval ? REMOVED : `${seq}`;
            log.set(one, id, seq);
            if (seq <= viewSeq) model.set(one, id);
          }
          if (isReadAfter) log.hasIn(low, high);
        };
        for (let seq = 1; seq <= viewSeq; seq++) write(seq);
        const expected = [...model]
          .filter(([one, id]) => one >= low && one < high && id !== REMOVED)
          .sort((a, b) => (isReverse ? compare(b, a) : compare(a, b)));
        const cursor = cursorOn(log, low, high, isReverse, viewSeq);
        const found = taken(cursor, readBefore);
        for (let seq = viewSeq + 1; seq <= commits.length; seq++) write(seq);
        expect([...found, ...taken(cursor, Infinity)]).toEqual(expected);
        expect(taken(cursorOn(log, low, high, isReverse, viewSeq), Infinity)).toEqual(expected);
        if (expected.length > 0) expect(log.hasIn(low, high)).toBe(true);
      },
    ),
    longer(300),
  );
});

test("all entries come in order, removals too, as they were left, however many there are", () => {
  const many = fc.array(fc.tuple(fc.nat({ max: 1_500 }), fc.boolean(), fc.nat({ max: 9 })), {
    minLength: 400,
    maxLength: 2_000,
  });
  fc.assert(
    fc.property(many, fc.boolean(), (written, isRising) => {
      const log = new EntryLog();
      const model = new Map<string, string>();
      const middle = written.length >> 1;
      let then = new Map<string, string>();
      written.forEach(([number, isRemoval, reads], at) => {
        const name = String(isRising ? at : number).padStart(4, "0");
        const indexName = `idx${(number + at) % 2}`;
        const id = isRemoval ? REMOVED : `${at}`;
        log.oldestSeq = Math.min(at - 10, middle);
        log.set(indexName + name, id, at);
        model.set(indexName + name, id);
        if (at === middle) then = new Map(model);
        if (reads === 0) expect(log.hasIn(indexName + name, `${indexName}~`)).toBe(true);
      });
      expect([...log.all(written.length)].flatMap(restOf)).toEqual([...model].sort(compare));
      // Readers of what is on its way into the store find the same, and older views what they saw.
      for (const [seen, seq] of [[model, written.length] as const, [then, middle] as const]) {
        for (const name of ["idx0", "idx1"]) {
          const kept = [...seen].filter(([one, id]) => one.startsWith(name) && id !== REMOVED);
          const cursor = cursorOn(log, name, `${name}~`, true, seq);
          expect(taken(cursor, Infinity)).toEqual(kept.sort(compare).reverse());
        }
      }
    }),
    longer(40),
  );
});
