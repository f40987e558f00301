/**
 * Reads a log behind its writer: each record once, in order. Only the frames' checksums are verified; the
 * hash chain was verified at the start (journalRead).
 */
import fs from "node:fs";
import path from "node:path";
import type { RecordSource } from "./commitLog.ts";
import { listSegments } from "./journalFiles.ts";
import { HEADER_BYTES, frameAt, paddedLength, type SegmentHeader } from "./journalFormat.ts";
import { readHeader } from "./journalRead.ts";
import { DamageError } from "./orderedStore.ts";

const LENGTH_BYTES = 4;

/** A segment that is being read. */
interface OpenSegment {
  readonly header: SegmentHeader;
  readonly handle: number;
  /** Where its next frame starts. */
  at: number;
}

/** One read at a time. Its creator closes it. */
export class JournalFollower implements RecordSource {
  private readonly folder: string;
  private segment: OpenSegment | null = null;
  /** Position of the last record returned. */
  private position = 0;
  /** The remaining records of its frame; the next one is at the end. */
  private rest: Buffer[] = [];

  constructor(folder: string) {
    this.folder = folder;
  }

  *read(after: number, until: number): Generator<Buffer, void, undefined> {
    if (this.segment === null || this.position !== after) this.seek(after);
    while (this.position < until) {
      if (this.rest.length === 0) this.rest = this.nextFrame().toReversed();
      const record = this.rest.pop()!;
      this.position += 1;
      if (this.position > after) yield record;
    }
  }

  close(): void {
    if (this.segment !== null) fs.closeSync(this.segment.handle);
    this.segment = null;
    this.rest = [];
  }

  /** Opens the segment that holds the record after `after`. */
  private seek(after: number): void {
    const found = this.segments().findLast(({ header }) => header.startPosition <= after);
    if (found === undefined) throw new DamageError(`The log does not hold position ${after + 1}`);
    this.open(found);
  }

  private segments(): { readonly file: string; readonly header: SegmentHeader }[] {
    return listSegments(this.folder).map((name) => {
      const file = path.join(this.folder, name);
      return { file, header: readHeader(file) };
    });
  }

  private open({ file, header }: { readonly file: string; readonly header: SegmentHeader }): void {
    this.close();
    this.segment = { header, handle: fs.openSync(file, "r"), at: HEADER_BYTES };
    this.position = header.startPosition;
  }

  private nextFrame(): readonly Buffer[] {
    for (;;) {
      const records = this.frameOf(this.segment!);
      if (records !== null) return records;
      const { number } = this.segment!.header;
      // An empty segment in between may have been deleted together with this one.
      const next = this.segments().find(({ header }) => header.number > number);
      if (next?.header.startPosition !== this.position) {
        throw new DamageError(`The log cannot be read after position ${this.position}`);
      }
      this.open(next);
    }
  }

  /** The records of a segment's next frame; null after the last one. */
  private frameOf(segment: OpenSegment): readonly Buffer[] | null {
    const start = readAt(segment, LENGTH_BYTES);
    const bytes = start.length === LENGTH_BYTES ? readAt(segment, paddedLength(start)) : start;
    const frame = frameAt(bytes, 0);
    if (frame === null) return null;
    segment.at += frame.end;
    return frame.records;
  }
}

function readAt({ handle, at }: OpenSegment, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, fs.readSync(handle, bytes, 0, length, at));
}
