/** Which documents stay in the cache when it is too large. */
import { describe, expect, it } from "vitest";
import { Catalog } from "../../../embedded/db/catalog";
import { Doc } from "../../../embedded/db/document";
import { Versions } from "../../../embedded/db/snapshot";

const DOCUMENT_BYTES = 1_000;
const CACHED_MAX_BYTES = 60_000;
/** Every store snapshot holds everything up to here. */
const APPLIED = 10;

const table = new Catalog().createTable("points");
const docOf = (id: string) => Doc.ofFields(table, id, DOCUMENT_BYTES, {});
const idsOf = (kind: string, count: number) => Array.from({ length: count }, (_, n) => kind + n);
const known = (versions: Versions, ids: readonly string[]) =>
  ids.filter((id) => versions.knows(id));

function trim(versions: Versions, maxBytes?: number): void {
  versions.beginTrim(maxBytes);
  while (!versions.trimSome(APPLIED));
}

describe("documents in memory", () => {
  it("go when there are too many, but not those that were read since the last time", () => {
    const versions = new Versions(CACHED_MAX_BYTES);
    const [cold, hot] = [idsOf("cold", 90), idsOf("hot", 10)];
    for (const id of [...hot, ...cold]) versions.keep(docOf(id), APPLIED);
    for (const id of hot) versions.at(id, APPLIED);
    trim(versions);
    expect(known(versions, hot)).toEqual(hot);
    const left = known(versions, cold).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(30);
    for (const id of idsOf("new", 90)) versions.keep(docOf(id), APPLIED);
    for (const id of idsOf("new", 90)) versions.at(id, APPLIED);
    trim(versions);
    trim(versions, 30_000);
    expect(known(versions, hot)).toEqual([]);
  });

  it("go nevertheless when all of them were read", () => {
    const versions = new Versions(CACHED_MAX_BYTES);
    const ids = idsOf("read", 90);
    for (const id of ids) versions.keep(docOf(id), APPLIED);
    for (const id of ids) versions.at(id, APPLIED);
    trim(versions);
    expect(known(versions, ids).length).toBeLessThan(30);
  });

  it("all go when nothing is to stay, those that were read as well", () => {
    const versions = new Versions(CACHED_MAX_BYTES);
    const ids = idsOf("read", 10);
    for (const id of ids) versions.keep(docOf(id), APPLIED);
    for (const id of ids) versions.at(id, APPLIED);
    trim(versions, 0);
    expect(known(versions, ids)).toEqual([]);
  });

  it("stay while they fit, and while the store lacks them", () => {
    const versions = new Versions(CACHED_MAX_BYTES);
    const fitting = idsOf("fitting", 30);
    for (const id of fitting) versions.keep(docOf(id), APPLIED);
    trim(versions);
    expect(known(versions, fitting)).toEqual(fitting);
    const missing = idsOf("missing", 90);
    for (const id of missing) versions.write(id, APPLIED + 1, docOf(id), APPLIED);
    trim(versions);
    expect(known(versions, missing)).toEqual(missing);
    expect(known(versions, fitting)).toEqual([]);
  });

  it("go some at a time, and the more of them the more at a time", () => {
    const turns = (count: number): number => {
      const versions = new Versions(CACHED_MAX_BYTES);
      for (const id of idsOf("cold", count)) versions.keep(docOf(id), APPLIED);
      versions.beginTrim();
      let taken = 1;
      while (!versions.trimSome(APPLIED)) taken++;
      return taken;
    };
    expect(turns(1_500)).toBe(1);
    expect(turns(10_000)).toBe(5);
    expect(turns(200_000)).toBeLessThan(64);
  });

  it("are counted once, however often they are written", () => {
    const versions = new Versions(CACHED_MAX_BYTES);
    const ids = idsOf("rewritten", 30);
    for (let seq = 1; seq <= APPLIED; seq++) {
      for (const id of ids) versions.write(id, seq, docOf(id), seq - 1);
    }
    trim(versions);
    expect(known(versions, ids)).toEqual(ids);
  });

  it("are too many for reads alone when these have brought half of what there may be", () => {
    const versions = new Versions(CACHED_MAX_BYTES);
    for (const id of idsOf("written", 90)) versions.write(id, APPLIED + 1, docOf(id), APPLIED);
    expect(versions.isOverfull).toBe(false);
    for (const id of idsOf("read", 30)) versions.keep(docOf(id), APPLIED);
    expect(versions.isOverfull).toBe(true);
    trim(versions);
    expect(versions.isOverfull).toBe(false);
    expect(known(versions, idsOf("read", 30))).toEqual([]);
  });
});
