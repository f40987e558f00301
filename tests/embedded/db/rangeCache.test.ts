/** When the cache of small store ranges may answer from memory, and when it must read the store. */
import { describe, expect, it } from "vitest";
import { RangeCache } from "../../../embedded/db/rangeCache";
import { openMemoryDatabase } from "../../../embedded/db/openDatabase";
import { usedHeapBytes } from "../../support/heap";
import { collect, memoryDatabase, range, read, schema, table } from "./support";

const entry = (key: string) => ({ key, id: `id of ${key}` });

const keysOf = (...keys: string[]) => ({
  hasIn: (low: string, high: string) => keys.some((key) => low <= key && key < high),
});

describe("a small range of the store", () => {
  it("is known at the position it was read at, with these ends only", () => {
    const cache = new RangeCache();
    cache.keep("b", "c", 5, [entry("b1")]);
    expect(cache.find("b", "c", 5)).toEqual([entry("b1")]);
    expect(cache.find("a", "c", 5)).toBeNull();
    expect(cache.find("b", "d", 5)).toBeNull();
    expect(cache.find("b", "c", 4)).toBeNull();
    expect(cache.find("b", "c", 6)).toBeNull();
  });

  it("stays known while commits write beside it, also over several generations", () => {
    const cache = new RangeCache();
    cache.keep("b", "c", 5, []);
    cache.changed(5, 7, keysOf("a9", "c"), 1);
    cache.changed(7, 9, keysOf("d"), 1);
    expect(cache.find("b", "c", 9)).toEqual([]);
  });

  it("is forgotten when a commit writes into it", () => {
    const cache = new RangeCache();
    cache.keep("b", "c", 5, [entry("b1")]);
    cache.changed(5, 7, keysOf("b"), 1);
    expect(cache.find("b", "c", 7)).toBeNull();
    cache.changed(7, 9, keysOf("z"), 1);
    expect(cache.find("b", "c", 9)).toBeNull();
  });

  it("is not carried over generations it knows nothing of", () => {
    const cache = new RangeCache();
    cache.keep("b", "c", 5, [entry("b1")]);
    cache.changed(6, 7, keysOf("z"), 1);
    expect(cache.find("b", "c", 7)).toBeNull();
    cache.clear();
    expect(cache.find("b", "c", 5)).toBeNull();
  });

  it("is not carried over generations that are too large to be remembered", () => {
    const cache = new RangeCache();
    for (const [from, megabytes] of [40, 20, 40, 100].entries()) {
      cache.keep("b", "c", from, []);
      cache.changed(from, from + 1, keysOf("z"), megabytes * 1_000_000);
      expect(cache.find("b", "c", from + 1) !== null).toBe(megabytes < 100);
    }
    cache.keep("b", "c", 4, []);
    cache.changed(4, 5, keysOf("z"), 60_000_000);
    expect(cache.find("b", "c", 5)).toEqual([]);
  });
});

describe("a range with long keys", () => {
  const long = "x".repeat(1_000);
  const isKnown = (low: string, high: string, key: string): boolean => {
    const cache = new RangeCache();
    cache.keep(low, high, 5, [entry(key)]);
    return cache.find(low, high, 5) !== null;
  };

  it("is read from the store each time: thousands of them would not fit into memory", () => {
    expect(isKnown("b", "c", "b" + long)).toBe(false);
    expect(isKnown("b" + long, "c", "bz")).toBe(false);
    expect(isKnown("b", "b" + long, "bb")).toBe(false);
    expect(isKnown("b", "c", "b" + "x".repeat(200))).toBe(true);
  });

  it("leaves nothing behind of what was asked for", async () => {
    const db = await memoryDatabase(schema(table("rows", { by_name: ["name"] })));
    const before = usedHeapBytes();
    for (let n = 0; n < 50; n++) {
      const name = "x".repeat(500_000) + n;
      expect(read(db, (tx) => collect(tx, range("rows.by_name", [["Eq", "name", name]])))).toEqual(
        [],
      );
    }
    expect(usedHeapBytes() - before).toBeLessThan(10_000_000);
    await db.close();
  });
});

describe("a database that answers ranges from memory", () => {
  it("shows every write, in both directions, before and after it is applied to the store", async () => {
    const db = await openMemoryDatabase();
    await db.applySchema({
      schemaValidation: true,
      tables: [
        { tableName: "rows", indexes: [{ indexDescriptor: "by_group", fields: ["group"] }] },
      ],
    });
    const namesOf = (group: string, order: "asc" | "desc"): unknown[] => {
      const tx = db.beginQuery();
      const stream = tx.openStream({
        source: {
          type: "IndexRange",
          indexName: "rows.by_group",
          range: [{ type: "Eq", fieldPath: "group", value: group }],
          order,
        },
        operators: [],
      });
      const names: unknown[] = [];
      for (let doc = stream.next(); doc !== null; doc = stream.next()) names.push(doc.value().name);
      tx.close();
      return names;
    };
    const expected = new Map<string, string[]>([
      ["a", []],
      ["b", []],
    ]);
    const idOfName = new Map<string, string>();
    for (let step = 0; step < 24; step++) {
      const group = step % 3 === 0 ? "a" : "b";
      const names = expected.get(group)!;
      const tx = db.beginMutation(step);
      if (step % 4 === 3 && names.length > 0) {
        tx.remove(idOfName.get(names.shift()!)!);
      } else {
        const name = `row ${step}`;
        idOfName.set(name, tx.insertValue("rows", { group, name }));
        names.push(name);
      }
      await db.commit(tx).durable;
      for (const each of ["a", "b"]) {
        expect(namesOf(each, "asc")).toEqual(expected.get(each));
        expect(namesOf(each, "desc")).toEqual(expected.get(each)!.toReversed());
      }
      if (step % 2 === 1) await db.drain();
    }
    await db.close();
  });
});
