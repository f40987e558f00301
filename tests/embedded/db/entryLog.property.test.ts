/** Index entries of unapplied commits, against a model. */
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Catalog, IndexInfo } from "../../../embedded/db/catalog";
import { Doc } from "../../../embedded/db/document";
import { EntryLog } from "../../../embedded/db/entryLog";
import { encodeKeyValue } from "../../../embedded/db/keyEncoding";
import { ListLayer, MergedCursor } from "../../../embedded/db/snapshot";
import { longer } from "../../support/chance";

const catalog = new Catalog();
const items = catalog.createTable("items");
const byPlace = new IndexInfo(catalog.nextIndexId++, "by_place", ["place"]);
items.setIndexes([byPlace], []);

/** Commits that write documents of one table, identified by number: into a place in the index, or out of it. */
class Items {
  readonly log: EntryLog;
  private readonly newest = new Map<number, Doc | null>();

  constructor(log = new EntryLog()) {
    this.log = log;
  }

  write(name: number, place: number | null, seq: number): void {
    const id = `id${name}`;
    const old = this.newest.get(name) ?? null;
    const fields = { _creationTime: name, _id: id, place };
    const doc = place === null ? null : Doc.ofFields(items, id, 1, fields);
    if (doc === null && old === null) return;
    this.newest.set(name, doc);
    this.log.write({ table: items, id, doc, old, seq });
  }
}

const keyAt = (place: number): string => byPlace.prefix + encodeKeyValue(place);

function cursorOn(log: EntryLog, low: number, high: number, isReverse: boolean, seq: number) {
  const layers = log.range(keyAt(low), keyAt(high), isReverse, seq);
  return new MergedCursor(layers, new ListLayer([]), isReverse);
}

/** Ids of at most `count` entries. */
function taken(cursor: MergedCursor, count: number): string[] {
  const found: string[] = [];
  while (found.length < count) {
    const entry = cursor.next();
    if (entry === null) break;
    found.push(entry.id);
  }
  return found;
}

/** The items in `[low, high)` in index order: by place, then by creation time. */
function expectedOf(
  places: ReadonlyMap<number, number | null>,
  low: number,
  high: number,
  isReverse: boolean,
): string[] {
  const inside = [...places].filter(
    (one): one is [number, number] => one[1] !== null && one[1] >= low && one[1] < high,
  );
  const sorted = inside.sort(([a, at], [b, bt]) => at - bt || a - b);
  return (isReverse ? sorted.reverse() : sorted).map(([name]) => `id${name}`);
}

const place = fc.nat({ max: 20 });
const writes = fc.array(
  fc.record({ name: fc.nat({ max: 12 }), place: fc.option(place, { freq: 3 }) }),
  { maxLength: 6 },
);
/** Any read builds the entries of earlier writes and sorts them. */
const commit = fc.record({ writes, isReadAfter: fc.boolean() });

test("a view of the entries sees its own commit and those before, whatever is written meanwhile", () => {
  fc.assert(
    fc.property(
      fc.array(commit, { minLength: 2, maxLength: 40 }),
      fc.nat(),
      fc.tuple(place, place),
      fc.boolean(),
      fc.nat({ max: 4 }),
      fc.boolean(),
      (commits, chosen, ends, isReverse, readBefore, isReadFromTheStart) => {
        const [low, high] = [Math.min(...ends), Math.max(...ends) + 1];
        const log = new EntryLog(new Set(isReadFromTheStart ? [items] : []));
        const written = new Items(log);
        const model = new Map<number, number | null>();
        const viewSeq = 1 + (chosen % (commits.length - 1));
        const run = (seq: number): void => {
          log.oldestSeq = Math.min(seq - 1, viewSeq);
          const { writes: changes, isReadAfter } = commits[seq - 1]!;
          for (const { name, place: to } of changes) {
            written.write(name, to, seq);
            if (seq <= viewSeq) model.set(name, to);
          }
          if (isReadAfter) log.hasIn(keyAt(low), keyAt(high));
        };
        for (let seq = 1; seq <= viewSeq; seq++) run(seq);
        const expected = expectedOf(model, low, high, isReverse);
        const cursor = cursorOn(log, low, high, isReverse, viewSeq);
        const found = taken(cursor, readBefore);
        for (let seq = viewSeq + 1; seq <= commits.length; seq++) run(seq);
        expect([...found, ...taken(cursor, Infinity)]).toEqual(expected);
        expect(taken(cursorOn(log, low, high, isReverse, viewSeq), Infinity)).toEqual(expected);
        if (expected.length > 0) expect(log.hasIn(keyAt(low), keyAt(high))).toBe(true);
      },
    ),
    longer(300),
  );
});

test("entries come in order as they were left, for older views too, however many there are", () => {
  const many = fc.array(fc.tuple(fc.nat({ max: 1_500 }), fc.boolean(), fc.nat({ max: 9 })), {
    minLength: 400,
    maxLength: 2_000,
  });
  fc.assert(
    fc.property(many, fc.boolean(), (written, isRising) => {
      const changes = new Items();
      const model = new Map<number, number | null>();
      const middle = written.length >> 1;
      let then = new Map<number, number | null>();
      written.forEach(([number, isRemoval, reads], at) => {
        const to = isRemoval ? null : isRising ? at : number;
        changes.log.oldestSeq = Math.min(at - 10, middle);
        changes.write(number, to, at);
        model.set(number, to);
        if (at === middle) then = new Map(model);
        if (reads === 0 && to !== null) {
          expect(changes.log.hasIn(keyAt(to), keyAt(to + 1))).toBe(true);
        }
      });
      const end = written.length + 1_500;
      for (const [seen, seq] of [[model, written.length] as const, [then, middle] as const]) {
        const cursor = cursorOn(changes.log, 0, end, true, seq);
        expect(taken(cursor, Infinity)).toEqual(expectedOf(seen, 0, end, true));
      }
    }),
    longer(40),
  );
});

test("many changes that nobody reads become entries piece by piece, and are in order when somebody does", () => {
  const changes = new Items();
  const model = new Map<number, number | null>();
  for (let seq = 1; seq <= 9_000; seq++) {
    const [name, to] = [(seq * 7) % 3_000, seq % 5 === 0 ? null : (seq * 31) % 1_000];
    changes.write(name, to, seq);
    model.set(name, to);
  }
  const made = vi.spyOn(Doc.prototype, "indexKeys");
  const cursor = cursorOn(changes.log, 0, 1_000, false, 9_000);
  // A change that moves an entry computes no keys; an insertion or removal does once.
  expect(made.mock.calls.length).toBeLessThanOrEqual(4_000);
  made.mockRestore();
  expect(taken(cursor, Infinity)).toEqual(expectedOf(model, 0, 1_000, false));
});

test("the entries of a table are made as they come once they were read, and no longer than that", () => {
  const first = new Items();
  first.write(1, 1, 1);
  expect(first.log.tablesRead.size).toBe(0);
  first.log.hasIn(keyAt(0), keyAt(9));
  const second = new Items(new EntryLog(first.log.tablesRead));
  second.write(2, 2, 2);
  expect([...first.log.tablesRead]).toEqual([items]);
  expect(second.log.tablesRead.size).toBe(0);
});
