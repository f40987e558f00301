/**
 * File storage: documents of `_storage`, addresses by uuid, upload tokens.
 *
 * Not here: the bytes (blobs), the HTTP routes (server/storageRoutes).
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { MIMEType } from "node:util";
import type { Transaction } from "../db/types.ts";
import { messageOf } from "../storage/errorText.ts";
import { isBlobUuid, type BlobInfo, type BlobStore } from "./blobs.ts";
import { STORAGE, STORAGE_FILES } from "./systemTables.ts";
import { parseDocument, readIndex } from "./tableReads.ts";

const UPLOAD_TOKEN_LIFE_MS = 60 * 60 * 1000;
/** As many as can be looked up in a few milliseconds. */
const FILES_PER_TURN = 100;

/** A document of `_storage`, decoded. */
export interface StorageDocument {
  readonly _id: string;
  readonly _creationTime: number;
  /** Base64. */
  readonly sha256: string;
  readonly size: number;
  /** Null when the upload named none; missing in a file of an earlier version. */
  readonly contentType?: string | null;
}

interface FileDocument {
  readonly _id: string;
  readonly storageId: string;
  readonly uuid: string;
}

/** A stored file as its address serves it. */
interface StoredFile {
  readonly uuid: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string | null;
}

/** Whether a stored file may have this type: an empty text, which browsers send for an unknown one, is none. */
export function isContentType(text: string): boolean {
  try {
    return new MIMEType(text).essence !== "";
  } catch {
    return false;
  }
}

/**
 * Works in its callers' transactions: a file exists, or is gone, with their commits. Without a `tokenKey`
 * upload tokens do not survive a restart.
 */
export class FileStorage {
  readonly blobs: BlobStore;
  private readonly origin: string;
  private readonly tokenKey: Buffer;
  private readonly onLogLine: ((line: string) => void) | null;

  constructor(
    blobs: BlobStore,
    options: { origin: string; tokenKey?: Buffer; onLogLine: ((line: string) => void) | null },
  ) {
    this.blobs = blobs;
    this.origin = options.origin;
    this.tokenKey = options.tokenKey ?? randomBytes(32);
    this.onLogLine = options.onLogLine;
  }

  /** A fresh uuid to write bytes under, before `record` makes them a file. */
  newUuid(): string {
    return randomUUID();
  }

  /**
   * Stores bytes that a function gives, before `record` makes them a file. The empty type is none.
   * @throws Error for a type that is not valid, and for another sha256 (hex or base64) than the one it expects, with
   *   nothing stored
   */
  async keep(
    bytes: AsyncIterable<Uint8Array>,
    type: string,
    expectedSha256: string | null,
  ): Promise<{ uuid: string; info: BlobInfo; contentType: string | null }> {
    if (type !== "" && !isContentType(type))
      throw new Error(`The file's type is not valid: ${type}`);
    const uuid = this.newUuid();
    const info = await this.blobs.write(uuid, bytes, Number.MAX_SAFE_INTEGER);
    const hex = Buffer.from(info.sha256, "base64").toString("hex");
    if (expectedSha256 !== null && ![info.sha256, hex].includes(expectedSha256)) {
      await this.discard(uuid);
      throw new Error("The sha256 of the file does not match");
    }
    return { uuid, info, contentType: type === "" ? null : type };
  }

  /** Writes the documents of a file whose bytes are stored. Returns its id. */
  record(txn: Transaction, uuid: string, info: BlobInfo, contentType: string | null): string {
    const storageId = txn.insert(STORAGE, {
      sha256: info.sha256,
      size: info.sizeBytes,
      contentType,
    });
    txn.insert(STORAGE_FILES, { storageId, uuid });
    return storageId;
  }

  /** The address of a file, or null when there is none with this id. @throws Error as {@link fileWithId} */
  urlOf(txn: Transaction, storageId: string): string | null {
    const file = this.fileWithId(txn, storageId, "getUrl");
    return file === null ? null : `${this.origin}/api/storage/${file.uuid}`;
  }

  /** @throws Error as {@link fileWithId} */
  metadataOf(
    txn: Transaction,
    storageId: string,
  ): { storageId: string; sha256: string; size: number; contentType: string | null } | null {
    const file = this.fileWithId(txn, storageId, "getMetadata");
    const document = file === null ? null : this.documentOf(txn, storageId);
    if (document === null) return null;
    return {
      storageId,
      sha256: Buffer.from(document.sha256, "base64").toString("hex"),
      size: document.size,
      contentType: document.contentType ?? null,
    };
  }

  /** Deletes the documents and returns the uuid of the bytes. @throws Error for unknown ids */
  remove(txn: Transaction, storageId: string): string {
    const file = this.fileWithId(txn, storageId, "delete");
    if (file === null || this.documentOf(txn, storageId) === null) {
      throw new Error(`storage id ${storageId} not found`);
    }
    txn.remove(file._id);
    txn.remove(storageId);
    return file.uuid;
  }

  /**
   * Removes bytes that no document refers to. When that fails, it is logged and left to the next {@link sweep}.
   * @returns whether they are gone
   */
  async discard(uuid: string): Promise<boolean> {
    try {
      await this.blobs.remove(uuid);
      return true;
    } catch (error) {
      this.onLogLine?.(`stored file ${uuid} [ERROR] It cannot be removed: ${messageOf(error)}`);
      return false;
    }
  }

  /**
   * Removes bytes that no document refers to: from calls that failed after storing them, and from uploads cut
   * short by a crash. Files with other names stay.
   * @param names what was stored before any upload was possible
   */
  async sweep(begin: () => Transaction, names: readonly string[]): Promise<number> {
    let removed = 0;
    // Complete or not.
    const uuids = names.filter((name) => isBlobUuid(name.replace(/\.part$/, "")));
    for (const [index, uuid] of uuids.entries()) {
      // Let other work run in between: there may be very many files.
      if (index % FILES_PER_TURN === 0) await nextTurn();
      const txn = begin();
      const isKnown = this.fileOf(txn, "uuid", uuid) !== null;
      txn.close();
      if (!isKnown && (await this.discard(uuid))) removed += 1;
    }
    return removed;
  }

  /** The file served at the address with this uuid. */
  byUuid(txn: Transaction, uuid: string): StoredFile | null {
    const file = this.fileOf(txn, "uuid", uuid);
    const document = file === null ? null : this.documentOf(txn, file.storageId);
    if (document === null) return null;
    return {
      uuid,
      sha256: document.sha256,
      sizeBytes: document.size,
      contentType: document.contentType ?? null,
    };
  }

  /** The stored file with this id. @throws Error as {@link fileWithId} */
  byId(txn: Transaction, storageId: string): StoredFile | null {
    const file = this.fileWithId(txn, storageId, "get");
    return file === null ? null : this.byUuid(txn, file.uuid);
  }

  /** All bytes of a file; null when there is none, or its bytes are gone. */
  async bytesOf(file: StoredFile | null): Promise<Buffer<ArrayBuffer> | null> {
    const stream = file === null ? null : this.blobs.read(file.uuid);
    if (stream === null) return null;
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  /** An address that accepts one kind of request, a POST with a file, for an hour. */
  uploadUrl(): string {
    const payload = `${Date.now() + UPLOAD_TOKEN_LIFE_MS}.${randomBytes(8).toString("hex")}`;
    return `${this.origin}/api/storage/upload?token=${payload}.${this.sign(payload)}`;
  }

  useOfUploadToken(token: string): "valid" | "forged" | "expired" {
    const [expires = "", nonce = "", signature = ""] = token.split(".");
    const expected = Buffer.from(this.sign(`${expires}.${nonce}`));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "forged";
    return Number(expires) > Date.now() ? "valid" : "expired";
  }

  private sign(payload: string): string {
    return createHmac("sha256", this.tokenKey).update(payload).digest("hex");
  }

  private documentOf(txn: Transaction, storageId: string): StorageDocument | null {
    if (txn.normalizeId(STORAGE, storageId) === null) return null;
    const document = txn.get(storageId);
    return document === null ? null : parseDocument<StorageDocument>(document);
  }

  /** @throws Error when the text is neither an id of this table nor a UUID, which ids were once officially */
  private fileWithId(
    txn: Transaction,
    storageId: string,
    operation: "getUrl" | "getMetadata" | "delete" | "get",
  ): FileDocument | null {
    if (txn.normalizeId(STORAGE, storageId) === null && !isBlobUuid(storageId)) {
      throw new Error(
        `Invalid argument \`storageId\` for \`storage.${operation}\`: Invalid storage ID: "${storageId}". ` +
          "Storage ID should be an Id of '_storage' table, or a UUID string.",
      );
    }
    return this.fileOf(txn, "storageId", storageId);
  }

  private fileOf(
    txn: Transaction,
    field: "storageId" | "uuid",
    value: string,
  ): FileDocument | null {
    const [document] = readIndex(txn, `${STORAGE_FILES}.by_${field}`, [[field, value]], {
      limit: 1,
    });
    return document === undefined ? null : parseDocument<FileDocument>(document);
  }
}
