/**
 * Reads a log behind its writer: each record once, in order. Only the frames' checksums are verified; the
 * hash chain was verified at the start (journalRead).
 */
import fs from "node:fs";
import type { RecordSource } from "./commitLog.ts";
import { HEADER_BYTES, frameAt, paddedLength, type SegmentHeader } from "./journalFormat.ts";
import { readHeaders, type ListedSegment } from "./journalRead.ts";
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
    if (this.segment === null || this.position !== after) this.segment = this.seek(after);
    while (this.position < until) {
      if (this.rest.length === 0) this.rest = this.nextFrame(this.segment).toReversed();
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
  private seek(after: number): OpenSegment {
    const listed = readHeaders(this.folder);
    const found = listed.findLast(({ header }) => header.startPosition <= after);
    if (found === undefined) throw new DamageError(`The log does not hold position ${after + 1}`);
    return this.open(found);
  }

  private open({ file, header }: ListedSegment): OpenSegment {
    this.close();
    this.position = header.startPosition;
    return (this.segment = { header, handle: fs.openSync(file, "r"), at: HEADER_BYTES });
  }

  /** The records of the next frame, in this segment or in one after it. */
  private nextFrame(segment: OpenSegment): readonly Buffer[] {
    const records = frameOf(segment);
    if (records !== null) return records;
    const { number } = segment.header;
    // An empty segment in between may have been deleted together with this one.
    const next = readHeaders(this.folder).find(({ header }) => header.number > number);
    if (next?.header.startPosition !== this.position) {
      throw new DamageError(`The log cannot be read after position ${this.position}`);
    }
    return this.nextFrame(this.open(next));
  }
}

/** The records of a segment's next frame; null after the last one. */
function frameOf(segment: OpenSegment): readonly Buffer[] | null {
  const start = readAt(segment, LENGTH_BYTES);
  const bytes = start.length === LENGTH_BYTES ? readAt(segment, paddedLength(start)) : start;
  const frame = frameAt(bytes, 0);
  if (frame === null) return null;
  segment.at += frame.end;
  return frame.records;
}

function readAt({ handle, at }: OpenSegment, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, fs.readSync(handle, bytes, 0, length, at));
}
