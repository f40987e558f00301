/** Storage for the bytes of stored files: a folder (durable before a file is recorded) or memory (tests). */
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { syncPath } from "../storage/syncTree.ts";

export interface BlobInfo {
  /** Base64, as in `_storage` documents. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for a name that bytes can be stored under. */
export const isBlobUuid = (text: string): boolean => UUID.test(text);

export interface BlobStore {
  /** Stores the bytes under `uuid`. @throws BlobTooLargeError as soon as the limit is passed. */
  write(uuid: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<BlobInfo>;
  /** The bytes from `start` to `end` (inclusive), or null when there is no such file. */
  read(uuid: string, range?: { start: number; end: number }): Readable | null;
  remove(uuid: string): Promise<void>;
  /** Everything stored, unfinished writes included. */
  list(): Promise<string[]>;
  /**
   * Postpones removals until the returned function is called, so that everything can be copied. A postponed `remove`
   * resolves at once.
   */
  hold(): () => void;
}

/** Removals postponed during a copy. */
class HeldRemovals {
  private holders = 0;
  private readonly waiting = new Set<() => Promise<void>>();

  hold(): () => void {
    this.holders += 1;
    return () => {
      this.holders -= 1;
      if (this.holders > 0) return;
      // What cannot be removed is found by the next start.
      for (const removal of this.waiting) removal().catch(() => undefined);
      this.waiting.clear();
    };
  }

  async run(removal: () => Promise<void>): Promise<void> {
    if (this.holders > 0) this.waiting.add(removal);
    else await removal();
  }
}

/** More bytes than the caller of `write` allowed; none of them are kept. Clients get status 413. */
export class BlobTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes`);
  }
}

async function consume(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onChunk: (chunk: Uint8Array) => Promise<void> | void,
): Promise<BlobInfo> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw new BlobTooLargeError(maxBytes);
    hash.update(chunk);
    await onChunk(chunk);
  }
  return { sha256: hash.digest("base64"), sizeBytes };
}

/** Files in `dir`, one per uuid. Each is written to a staging file and renamed once it is durable. */
export function directoryBlobs(dir: string): BlobStore {
  const fileOf = (uuid: string) => path.join(dir, uuid);
  const removals = new HeldRemovals();
  return {
    async write(uuid, bytes, maxBytes) {
      const created = await mkdir(dir, { recursive: true, mode: 0o700 });
      // Folders are synced, too: otherwise a power cut may lose the name of a file whose bytes are durable.
      if (created !== undefined) await syncPath(path.dirname(created));
      const staging = `${fileOf(uuid)}.part`;
      const file = await open(staging, "w", 0o600);
      try {
        // Unlike `write`, `writeFile` continues until the whole chunk is written.
        const info = await consume(bytes, maxBytes, (chunk) => file.writeFile(chunk));
        await file.sync();
        await rename(staging, fileOf(uuid));
        await syncPath(dir);
        return info;
      } catch (error) {
        await rm(staging, { force: true });
        throw error;
      } finally {
        await file.close();
      }
    },
    read: (uuid, range) =>
      existsSync(fileOf(uuid)) ? createReadStream(fileOf(uuid), range) : null,
    remove: (uuid) => removals.run(() => rm(fileOf(uuid), { force: true })),
    list: () => (existsSync(dir) ? readdir(dir) : Promise.resolve([])),
    hold: () => removals.hold(),
  };
}

/** Files in memory only; otherwise the same as in a folder. */
export function memoryBlobs(): BlobStore {
  const blobs = new Map<string, Buffer>();
  const removals = new HeldRemovals();
  return {
    async write(uuid, bytes, maxBytes) {
      const chunks: Uint8Array[] = [];
      const info = await consume(bytes, maxBytes, (chunk) => void chunks.push(chunk));
      blobs.set(uuid, Buffer.concat(chunks));
      return info;
    },
    read(uuid, range) {
      const blob = blobs.get(uuid);
      if (blob === undefined) return null;
      return Readable.from([range ? blob.subarray(range.start, range.end + 1) : blob]);
    },
    remove: (uuid) => removals.run(async () => void blobs.delete(uuid)),
    list: async () => [...blobs.keys()],
    hold: () => removals.hold(),
  };
}
