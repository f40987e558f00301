/**
 * The log record of one commit: sequence number, timestamp, newest creation time, tables created, documents
 * written. Index entries are not in it: replay derives them from the documents.
 */
import type { Ts } from "./types.ts";

const FIXED_BYTES = 8 + 8 + 8 + 4;
const KIND_TABLE = 0;
const KIND_PUT = 1;
const KIND_DELETE = 2;
/** A put of a new document. Code that does not know this kind treats it as a put. */
const KIND_INSERT = 3;

/** A table that a commit created, with the numbers it was given. */
export interface TableRecord {
  readonly name: string;
  readonly number: number;
  readonly byIdIndex: number;
  readonly byCreationIndex: number;
}

/** A commit's sequence number and timestamp, and the newest creation time up to and including it. */
export interface CommitStamp {
  readonly seq: number;
  readonly ts: Ts;
  readonly creationTime: number;
}

interface Commit<Documents> extends CommitStamp {
  readonly tables: readonly TableRecord[];
  readonly documents: Documents;
}

/**
 * A document's record by id; null for a deletion. `isNew` means that the document is known not to have
 * existed.
 */
type WrittenDocument = readonly [id: string, record: Buffer | null, isNew?: boolean];

/** A commit that was read back. */
export type CommitRecord = Commit<readonly WrittenDocument[]>;

/** A commit's change to one document. */
interface Write {
  readonly doc: RecordWriter | null;
  readonly old: object | null;
}
interface RecordWriter {
  readonly recordMaxBytes: number;
  writeRecord(bytes: Buffer, at: number): number;
}

/** Shared buffer for encoding; a larger commit gets a buffer of its own. */
const scratch = Buffer.allocUnsafe(64 * 1024);

/** Creation times are milliseconds, `ts` is nanoseconds. The log adds length and checksum. */
export function encodeCommit(commit: Commit<ReadonlyMap<string, Write>>): Buffer {
  const tables = commit.tables.map((table) => Buffer.from(JSON.stringify(table)));
  let maxBytes = FIXED_BYTES;
  for (const table of tables) maxBytes += 1 + 2 + table.length;
  for (const [id, { doc }] of commit.documents) {
    maxBytes += 1 + 1 + id.length + (doc === null ? 0 : 4 + doc.recordMaxBytes);
  }
  const bytes = maxBytes <= scratch.length ? scratch : Buffer.allocUnsafe(maxBytes);
  bytes.writeDoubleLE(commit.seq, 0);
  bytes.writeBigInt64LE(commit.ts, 8);
  bytes.writeDoubleLE(commit.creationTime, 16);
  bytes.writeUInt32LE(tables.length + commit.documents.size, 24);
  let at = FIXED_BYTES;
  for (const table of tables) {
    bytes[at++] = KIND_TABLE;
    at = bytes.writeUInt16LE(table.length, at);
    at += table.copy(bytes, at);
  }
  for (const [id, { doc, old }] of commit.documents) {
    if (doc === null) bytes[at++] = KIND_DELETE;
    else bytes[at++] = old === null ? KIND_INSERT : KIND_PUT;
    bytes[at++] = id.length;
    at += bytes.write(id, at, "latin1");
    if (doc === null) continue;
    const end = doc.writeRecord(bytes, at + 4);
    bytes.writeUInt32LE(end - at - 4, at);
    at = end;
  }
  return Buffer.from(bytes.subarray(0, at));
}

/** @param bytes made by {@link encodeCommit}; their checksum has been checked */
export function decodeCommit(bytes: Buffer): CommitRecord {
  const tables: TableRecord[] = [];
  const documents: WrittenDocument[] = [];
  let at = FIXED_BYTES;
  for (let left = bytes.readUInt32LE(24); left > 0; left--) {
    const kind = bytes[at++];
    if (kind === KIND_TABLE) {
      const end = at + 2 + bytes.readUInt16LE(at);
      tables.push(JSON.parse(bytes.toString("utf8", at + 2, end)) as TableRecord);
      at = end;
      continue;
    }
    const idEnd = at + 1 + bytes[at]!;
    const id = bytes.toString("latin1", at + 1, idEnd);
    at = idEnd;
    if (kind === KIND_DELETE) {
      documents.push([id, null]);
      continue;
    }
    const end = at + 4 + bytes.readUInt32LE(at);
    documents.push([id, bytes.subarray(at + 4, end), kind === KIND_INSERT]);
    at = end;
  }
  return {
    seq: bytes.readDoubleLE(0),
    ts: bytes.readBigInt64LE(8),
    creationTime: bytes.readDoubleLE(16),
    tables,
    documents,
  };
}
