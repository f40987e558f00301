import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { Journal } from "../../../embedded/storage/journal";
import { listSegments } from "../../../embedded/storage/journalFiles";
import { HEADER_BYTES } from "../../../embedded/storage/journalFormat";
import { DamageError } from "../../../embedded/storage/orderedStore";
import { temporaryDir } from "../../support/temporaryDir";

let folder = "";
beforeEach(() => {
  folder = temporaryDir();
});

const SMALL = { firstSegmentBytes: 4096, segmentBytes: 4096, keptBytes: 4096 };

const open = (): Journal => Journal.open(folder, 0, () => undefined, SMALL);

/** Writes single records until there are three segments. Returns the position of the last one. */
function writeThreeSegments(journal: Journal): number {
  let last = 0;
  while (listSegments(folder).length < 3) {
    last += 1;
    journal.append([Buffer.from(`record ${last}`)], last);
    journal.syncNow();
  }
  return last;
}

test("a segment that stayed empty is passed over, also when it is gone", async () => {
  const journal = open();
  const last = writeThreeSegments(journal);
  // A power cut: the frame for which a fourth segment is created never reaches the disk.
  journal.append([Buffer.alloc(8192)], last + 1);
  await journal.close();
  const empty = path.join(folder, listSegments(folder)[3]!);
  fs.writeFileSync(empty, fs.readFileSync(empty).fill(0, HEADER_BYTES));

  const again = open();
  expect([...again.read(0, last)]).toHaveLength(last);
  // Too long for the empty segment, which is then deleted together with all before it.
  again.append([Buffer.alloc(16_384), Buffer.from("the next")], last + 2);
  again.syncNow();
  again.applied(last);
  expect(listSegments(folder)).toHaveLength(1);
  expect([...again.read(last, last + 2)].at(-1)!.toString()).toBe("the next");
  await again.close();
});

test("records that are missing between two segments are reported", async () => {
  const journal = open();
  const last = writeThreeSegments(journal);
  const second = path.join(folder, listSegments(folder)[1]!);
  fs.renameSync(second, `${second}.away`);
  expect(() => [...journal.read(0, last)]).toThrow(DamageError);
  fs.renameSync(`${second}.away`, second);
  expect([...journal.read(0, last)]).toHaveLength(last);
  await journal.close();
});

test("a read begins at the record it was asked for, also after one that was broken off", async () => {
  const journal = open();
  journal.append([Buffer.from("1"), Buffer.from("2"), Buffer.from("3")], 3);
  journal.syncNow();
  const textsOf = (after: number) => [...journal.read(after, 3)].map(String);
  expect(textsOf(1)).toEqual(["2", "3"]);
  for (const record of journal.read(0, 3)) {
    expect(String(record)).toBe("1");
    break;
  }
  expect(textsOf(2)).toEqual(["3"]);
  await journal.close();
});

test("a group of many records takes no longer than they do in many groups", async () => {
  const journal = open();
  const records = Array.from({ length: 20_000 }, (_, n) => Buffer.from(`record ${n}`));
  journal.append(records, records.length);
  journal.syncNow();
  const startMs = performance.now();
  const found = [...journal.read(0, records.length)];
  const tookMs = performance.now() - startMs;
  expect(found.join()).toBe(records.join());
  // It would take seconds if each read cost as much as all records after it.
  expect(tookMs).toBeLessThan(1_000);
  await journal.close();
});
