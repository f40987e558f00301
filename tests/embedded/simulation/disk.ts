/**
 * A disk that loses unsynced data. The real log writes real files in a folder; at a crash each sector written
 * since the last sync is randomly kept or reset. Also a store whose batches take time and are atomic, as LMDB
 * promises.
 *
 * Not here: the order in which names become durable (see the powerLoss fault script).
 */
import fs from "node:fs";
import { MemoryStore } from "../../../embedded/storage/memoryStore";
import type {
  OrderedStore,
  StoreSnapshot,
  StoreWrite,
} from "../../../embedded/storage/orderedStore";
import type { World } from "./world";

const SECTOR_BYTES = 512;
const SYNC_MS = { low: 0.1, high: 3 };
const APPLY_MS = { low: 1, high: 30 };

/** The functions that this disk replaces, and those it needs itself. */
function pickOf({ openSync, closeSync, writeSync, readSync, fsyncSync, ...rest }: typeof fs) {
  const { fdatasyncSync, fdatasync, fstatSync } = rest;
  return {
    openSync,
    closeSync,
    writeSync,
    readSync,
    fsyncSync,
    fdatasyncSync,
    fdatasync,
    fstatSync,
  };
}

/** The machine loses power during a system call. */
class PowerCut extends Error {}

/** Where the next power cut happens inside the log, if at all. */
export type CutPoint = "write" | "before sync" | "after sync";

export class Disk {
  readonly store = new MemoryStore();
  cutAt: CutPoint | null = null;
  private readonly world: World;
  private readonly folder: string;
  private readonly onCut: () => void;
  /** False for a disk that reports a sync without doing it. */
  private readonly isHonest: boolean;
  private readonly files = new Map<number, string>();
  /** Content of sectors at the last sync, by file. */
  private readonly unsynced = new Map<string, Map<number, Buffer>>();
  private readonly real = pickOf(fs);
  private readonly realOpen = fs.promises.open;

  constructor(world: World, folder: string, onCut: () => void, isHonest: boolean) {
    this.world = world;
    this.folder = folder;
    this.onCut = onCut;
    this.isHonest = isHonest;
    this.takeOver();
  }

  /** Crashes: unsynced sectors are kept or lost, and all files are closed. */
  losePower(): number {
    let lost = 0;
    const [keepsAll, losesAll] = [this.world.isHit(0.2), this.world.isHit(0.3)];
    for (const [file, sectors] of this.unsynced) {
      // Deleted since.
      if (!fs.existsSync(file)) continue;
      const handle = this.real.openSync(file, "r+");
      for (const [sector, before] of sectors) {
        const isLost = !keepsAll && (losesAll || this.world.isHit(0.5));
        if (!isLost) continue;
        this.real.writeSync(handle, before, 0, before.length, sector * SECTOR_BYTES);
        lost += 1;
      }
      this.real.closeSync(handle);
    }
    this.unsynced.clear();
    for (const handle of this.files.keys()) this.real.closeSync(handle);
    this.files.clear();
    return lost;
  }

  giveBack(): void {
    Object.assign(fs, this.real);
    fs.promises.open = this.realOpen;
  }

  /** The store for one server: batches take time and are atomic. */
  slowStore(): OrderedStore {
    const { world, store } = this;
    return {
      get position() {
        return store.position;
      },
      snapshot: (): StoreSnapshot => store.snapshot(),
      async apply(writes: Iterable<StoreWrite>, position: number) {
        const batch = [...writes];
        await world.delay(APPLY_MS.low + world.chance() * (APPLY_MS.high - APPLY_MS.low));
        await store.apply(batch, position);
      },
      close: () => Promise.resolve(),
    };
  }

  private cut(point: CutPoint): void {
    if (this.cutAt !== point) return;
    this.cutAt = null;
    this.onCut();
    throw new PowerCut();
  }

  private takeOver(): void {
    const { real } = this;
    const own = {
      openSync: (file: fs.PathLike, flags?: fs.OpenMode, mode?: fs.Mode | null) => {
        const handle = real.openSync(file, flags ?? "r", mode);
        if (String(file).startsWith(this.folder)) this.files.set(handle, String(file));
        return handle;
      },
      closeSync: (handle: number) => {
        this.files.delete(handle);
        real.closeSync(handle);
      },
      writeSync: (handle: number, bytes: Buffer, from: number, length: number, at: number) => {
        const file = this.files.get(handle);
        if (file !== undefined) {
          this.remember(file, handle, at, length);
          if (this.cutAt === "write") {
            real.writeSync(handle, bytes, from, this.world.pick(0, length), at);
            this.cut("write");
          }
        }
        return real.writeSync(handle, bytes, from, length, at);
      },
      fsyncSync: (handle: number) => this.synced(handle),
      fdatasyncSync: (handle: number) => {
        this.cut("before sync");
        this.synced(handle);
        this.cut("after sync");
      },
      fdatasync: (handle: number, done: (error: Error | null) => void) => {
        const waitMs = SYNC_MS.low + this.world.chance() * (SYNC_MS.high - SYNC_MS.low);
        this.world.plan(waitMs, () => {
          try {
            this.cut("before sync");
            this.synced(handle);
            this.cut("after sync");
            done(null);
          } catch (error) {
            if (!(error instanceof PowerCut)) throw error;
          }
        });
      },
    };
    Object.assign(fs, own);
    Object.assign(fs.promises, {
      open: (file: string, flags: string) => {
        const handle = own.openSync(file, flags);
        return Promise.resolve({
          write: (bytes: Buffer, from: number, length: number, at: number) =>
            Promise.resolve({ bytesWritten: own.writeSync(handle, bytes, from, length, at) }),
          sync: () => Promise.resolve(own.fsyncSync(handle)),
          close: () => Promise.resolve(own.closeSync(handle)),
        });
      },
    });
  }

  private synced(handle: number): void {
    const file = this.files.get(handle);
    if (file !== undefined && this.isHonest) this.unsynced.delete(file);
  }

  /** Saves the current content of the sectors, unless an older one is saved already. */
  private remember(file: string, handle: number, at: number, length: number): void {
    let sectors = this.unsynced.get(file);
    if (sectors === undefined) this.unsynced.set(file, (sectors = new Map<number, Buffer>()));
    const size = this.real.fstatSync(handle).size;
    const last = Math.floor((at + length - 1) / SECTOR_BYTES);
    for (let sector = Math.floor(at / SECTOR_BYTES); sector <= last; sector++) {
      const start = sector * SECTOR_BYTES;
      if (sectors.has(sector) || start >= size) continue;
      const before = Buffer.alloc(Math.min(SECTOR_BYTES, size - start));
      this.real.readSync(handle, before, 0, before.length, start);
      sectors.set(sector, before);
    }
  }
}
