/**
 * The bytes of one commit in the log: sequence number, timestamp, newest creation time, tables created,
 * documents written. Index entries are not in it: replaying derives them from the documents.
 */
import type { Ts } from "./types";

const FIXED_BYTES = 8 + 8 + 8 + 4;
const KIND_TABLE = 0;
const KIND_PUT = 1;
const KIND_DELETE = 2;
/** A put of a document that was not there before. What does not know the kind takes it for a put. */
const KIND_INSERT = 3;

/** A table that a commit created, with the numbers it was given. */
export interface TableRecord {
  readonly name: string;
  readonly number: number;
  readonly byIdIndex: number;
  readonly byCreationIndex: number;
}

export interface CommitRecord {
  readonly seq: number;
  readonly ts: Ts;
  readonly creationTime: number;
  readonly tables: readonly TableRecord[];
  readonly documents: readonly WrittenDocument[];
}

/** A document's record by its id; null for a deletion. `isNew` when it is known that there was none before. */
export type WrittenDocument = readonly [id: string, record: Buffer | null, isNew?: boolean];

function kindOf([, record, isNew]: WrittenDocument): number {
  if (record === null) return KIND_DELETE;
  return isNew === true ? KIND_INSERT : KIND_PUT;
}

/** Creation times are milliseconds, `ts` is nanoseconds. Its length and checksum are the log's. */
export function encodeCommit(commit: CommitRecord): Buffer {
  let length = FIXED_BYTES;
  const tables = commit.tables.map((table) => Buffer.from(JSON.stringify(table)));
  for (const table of tables) length += 1 + 2 + table.length;
  for (const [id, record] of commit.documents) {
    length += 2 + id.length + (record === null ? 0 : 4 + record.length);
  }
  const bytes = Buffer.allocUnsafe(length);
  bytes.writeDoubleLE(commit.seq, 0);
  bytes.writeBigInt64LE(commit.ts, 8);
  bytes.writeDoubleLE(commit.creationTime, 16);
  bytes.writeUInt32LE(tables.length + commit.documents.length, 24);
  let at = FIXED_BYTES;
  for (const table of tables) {
    bytes[at++] = KIND_TABLE;
    at = bytes.writeUInt16LE(table.length, at);
    at += table.copy(bytes, at);
  }
  for (const document of commit.documents) {
    const [id, record] = document;
    bytes[at++] = kindOf(document);
    bytes[at++] = id.length;
    at += bytes.write(id, at, "latin1");
    if (record !== null) {
      at = bytes.writeUInt32LE(record.length, at);
      at += record.copy(bytes, at);
    }
  }
  return bytes;
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
