/**
 * Export and import of a whole deployment as an archive in the official snapshot format: tables, stored files
 * with their ids and addresses. As officially, environment, keys and scheduled functions are not in it.
 */
import { createHash, type Hash } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { Value } from "convex/values";
import type { EmbeddedDatabase } from "../db/database.ts";
import { decodeId } from "../db/ids.ts";
import {
  adoptTables,
  exportTables,
  importTables,
  insertDocuments,
  readLines,
  type ImportReport,
} from "../db/tableArchive.ts";
import type { Tx } from "../db/transaction.ts";
import { messageOf } from "../storage/errorText.ts";
import { syncPath } from "../storage/syncTree.ts";
import { ZipReader } from "../storage/zipReader.ts";
import { ZipWriter } from "../storage/zipWriter.ts";
import { isBlobUuid, type BlobStore } from "../runtime/blobs.ts";
import { STORAGE, STORAGE_FILES } from "../runtime/systemTables.ts";
import { storedFiles, type StoredFileInfo } from "./storedFiles.ts";

const README = `# A snapshot of a Convex deployment

The documents of each table are lines of JSON in <table>/documents.jsonl, stored files lie in _storage/.
Import it with \`npm run import\`, or into any Convex deployment with \`npx convex import\`.
`;
const STORAGE_ENTRY = `${STORAGE}/documents.jsonl`;
const FILE_ENTRY = /^_storage\/([^/.]+)(?:\.[^/]+)?$/;
/** File extensions, only for people who open the archive. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpeg",
  "image/webp": ".webp",
  "application/pdf": ".pdf",
  "application/json": ".json",
  "text/plain": ".txt",
  "text/csv": ".csv",
};

/** Reports progress as a line of text. */
export type OnProgress = (what: string) => void;

/** Stored files of an archive: how many it holds, and the ids of those whose bytes are missing or damaged. */
export interface FilesReport {
  readonly files: number;
  readonly missing: readonly string[];
}

function fileLine(file: StoredFileInfo): string {
  const creationTime = String(file.creationTime);
  const fields = [
    `"_id":${JSON.stringify(file.id)}`,
    `"_creationTime":${/[.e]/.test(creationTime) ? creationTime : `${creationTime}.0`}`,
    `"sha256":${JSON.stringify(file.sha256)}`,
    `"size":${file.sizeBytes}`,
    `"contentType":${JSON.stringify(file.contentType)}`,
    `"internalId":${JSON.stringify(file.uuid)}`,
  ];
  return `{${fields.join(",")}}\n`;
}

/**
 * Writes a consistent archive of a running or stopped deployment, durably.
 * @throws Error when `target` exists
 */
export async function exportDeployment(
  from: { readonly db: EmbeddedDatabase; readonly blobs: BlobStore },
  target: string,
  options: { includeFiles: boolean; onProgress?: OnProgress },
): Promise<FilesReport> {
  const { onProgress = () => undefined } = options;
  const archive = await ZipWriter.create(target);
  const release = from.blobs.hold();
  let tx: Tx | null = null;
  try {
    tx = await from.db.beginLongQuery();
    await archive.add("README.md", [Buffer.from(README)]);
    await exportTables(from.db, tx, archive, (table, count) => onProgress(`${table}: ${count}`));
    const files = options.includeFiles ? await storedFiles(tx) : [];
    if (options.includeFiles) {
      await archive.add(STORAGE_ENTRY, [Buffer.from(files.map(fileLine).join(""))]);
    }
    const missing: string[] = [];
    for (const [index, file] of files.entries()) {
      const bytes = from.blobs.read(file.uuid);
      const hash = createHash("sha256");
      if (bytes !== null) await archive.add(entryName(file), readable(bytes, file.uuid, hash));
      const isSound = bytes !== null && hash.digest("base64") === file.sha256;
      if (!isSound) missing.push(file.id);
      onProgress(`files: ${index + 1} of ${files.length}`);
    }
    await archive.finish();
    await syncPath(path.dirname(target));
    return { files: files.length - missing.length, missing };
  } catch (error) {
    await archive.abandon();
    await rm(target, { force: true });
    throw error;
  } finally {
    tx?.close();
    release();
  }
}

/**
 * The bytes of a stored file, which are also added to `hash`.
 * @throws Error that names the unreadable file and where another copy may be
 */
async function* readable(
  bytes: AsyncIterable<unknown>,
  uuid: string,
  hash: Hash,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of bytes) {
      hash.update(chunk as Uint8Array);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(
      `The stored file ${uuid} cannot be read (${reason}): copy it from a backup's folder files/.`,
      { cause: error },
    );
  }
}

const entryName = ({ id, contentType }: StoredFileInfo): string =>
  `${STORAGE}/${id}${EXTENSIONS[contentType ?? ""] ?? ""}`;

interface FileLine {
  readonly _id: string;
  readonly _creationTime?: number | null;
  readonly sha256?: string | null;
  readonly contentType?: string | null;
  readonly internalId?: string | null;
}

function parseFile(text: string): FileLine {
  const line = JSON.parse(text) as Partial<FileLine> | null;
  if (typeof line?._id !== "string") throw new Error("it has no id");
  return { ...line, _id: line._id };
}

async function fileLines(archive: ZipReader): Promise<Map<string, FileLine>> {
  const lines = new Map<string, FileLine>();
  if (!archive.has(STORAGE_ENTRY)) return lines;
  for await (const line of readLines(archive, STORAGE, parseFile)) lines.set(line._id, line);
  return lines;
}

async function importFiles(
  into: { readonly db: EmbeddedDatabase; readonly blobs: BlobStore },
  archive: ZipReader,
  newUuid: () => string,
  onProgress: OnProgress,
): Promise<FilesReport> {
  const lines = await fileLines(archive);
  const entries = archive.names.flatMap((name) => {
    const id = name === STORAGE_ENTRY ? undefined : FILE_ENTRY.exec(name)?.[1];
    return id === undefined ? [] : [{ name, id }];
  });
  const ids = new Set(entries.map(({ id }) => id));
  const missing = [...lines.keys()].filter((id) => !ids.has(id));
  const [first] = entries;
  if (first === undefined) return { files: 0, missing };
  const tableNumber = decodeId(first.id)?.tableNumber;
  if (tableNumber === undefined) throw new Error(`The archive's file ${first.name} has no id`);
  const { db } = into;
  adoptTables(db, new Map([[STORAGE, tableNumber]]));
  const nowMs = Date.now();
  const uuids = new Set<string>();
  let files = 0;
  for (const [index, { name, id }] of entries.entries()) {
    const line = lines.get(id);
    const given = line?.internalId ?? "";
    const uuid = isBlobUuid(given) ? given : newUuid();
    if (uuids.has(uuid)) throw new Error(`The archive's file ${name} has another one's address`);
    uuids.add(uuid);
    const info = await into.blobs.write(uuid, archive.read(name), Number.MAX_SAFE_INTEGER);
    if ((line?.sha256 ?? info.sha256) !== info.sha256) {
      // Damaged before it was exported: all others are still imported.
      await into.blobs.remove(uuid);
      missing.push(id);
      continue;
    }
    const document: Record<string, Value> = {
      _id: id,
      _creationTime: line?._creationTime ?? nowMs,
      sha256: info.sha256,
      size: info.sizeBytes,
      contentType: line?.contentType ?? null,
    };
    await insertDocuments(db, STORAGE, [document]);
    const tx = db.beginMutation(nowMs);
    tx.insert(STORAGE_FILES, { storageId: id, uuid });
    await db.commit(tx).durable;
    files += 1;
    onProgress(`files: ${index + 1} of ${entries.length}`);
  }
  return { files, missing };
}

/** What an import found: `includesFiles` is false for an archive that was made without stored files. */
export interface ArchiveReport extends ImportReport, FilesReport {
  readonly includesFiles: boolean;
}

/**
 * Fills an empty deployment from an archive. Ids, creation times and addresses of files stay the same.
 * @throws Error for an archive that is damaged or in an older format, or for a database with documents
 */
export async function importDeployment(
  archiveFile: string,
  into: { readonly db: EmbeddedDatabase; readonly blobs: BlobStore; newUuid: () => string },
  onProgress: OnProgress = () => undefined,
): Promise<ArchiveReport> {
  const file = path.resolve(archiveFile);
  const refuse = (error: Error): never => {
    const next = "Export it again, or name another file.";
    throw new Error(`${file} cannot be read: ${error.message}. ${next}`, { cause: error });
  };
  const archive = await ZipReader.open(file).catch(refuse);
  try {
    onProgress("checking the archive");
    await archive.verify().catch(refuse);
    const files = await importFiles(into, archive, into.newUuid, onProgress);
    const report = await importTables(into.db, archive, (table, count) =>
      onProgress(`${table}: ${count}`),
    );
    return { ...report, ...files, includesFiles: archive.has(STORAGE_ENTRY) };
  } finally {
    await archive.close();
  }
}
