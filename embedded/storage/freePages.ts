/**
 * Judges LMDB's list of free pages. Reading entries does not show it and no checksum protects it: a number
 * in it that changed on the disk would let the next write take a page that is in use.
 *
 * Reads the file as it lies on the disk, in LMDB's format (mdb.c of the `lmdb` package: MDB_meta, MDB_page,
 * MDB_node, MDB_ovpage). LMDB's own tools print sums, which a changed number leaves as they are.
 */
import fs from "node:fs";

const PAGE_BYTES = 4096;
/** Of a page: its flags, where its free room begins (two bytes for each node before it), its nodes' places. */
const FLAGS_AT = 18;
const LOWER_AT = 20;
const PAGE_HEADER_BYTES = 24;
const BRANCH = 0x01;
const LEAF = 0x02;

/** Of the two pages at the start of the file: the roots of the free pages' tree and of the entries'. */
const META_PAGES = 2;
const FREE_ROOT_AT = 88;
const ENTRIES_ROOT_AT = 136;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const NO_ROOT = -1;

/** Of a node: its value's length or the page below it, flags, the key's length; the key and the value follow. */
const NODE_FLAGS_AT = 4;
const KEY_LENGTH_AT = 6;
const NODE_HEADER_BYTES = 8;
/** The value lies on pages of its own: their first number, a transaction, how many. */
const BIG_VALUE = 0x01;
const BIG_COUNT_AT = 16;
const WORD_BYTES = 8;
/** More levels than any tree has: a damaged page may lead back to one above it. */
const DEPTH_MAX = 32;

const wordAt = (bytes: Buffer, at: number): number => Number(bytes.readBigInt64LE(at));

/** Takes a value: `length` bytes of `page` at `at`. */
type OnValue = (page: Buffer, at: number, length: number) => void;

/** The pages of a file, and which of them have a use. */
class Pages {
  private readonly handle: number;
  private readonly isUsed: Uint8Array;
  /** A buffer for each level of a tree that is being read. */
  private readonly buffers: Buffer[] = [];

  constructor(handle: number, count: number) {
    this.handle = handle;
    this.isUsed = new Uint8Array(count);
  }

  /** Notes the use of a tree's pages. @param onValue gets each value that is not big, and each big one read */
  useTree(root: number, onValue: OnValue | null, depth = 0): void {
    if (root === NO_ROOT) return;
    this.use(root, 1);
    const page = readPages(this.handle, root, (this.buffers[depth] ??= Buffer.alloc(PAGE_BYTES)));
    const flags = page.readUInt16LE(FLAGS_AT);
    const isBranch = (flags & BRANCH) !== 0;
    if ((!isBranch && (flags & LEAF) === 0) || depth > DEPTH_MAX) {
      throw new RangeError(`page ${root} is no page of a tree`);
    }
    const placesEnd = PAGE_HEADER_BYTES + page.readUInt16LE(LOWER_AT);
    for (let place = PAGE_HEADER_BYTES; place < placesEnd; place += 2) {
      const node = PAGE_HEADER_BYTES + page.readUInt16LE(place);
      const length = page.readUInt32LE(node);
      const nodeFlags = page.readUInt16LE(node + NODE_FLAGS_AT);
      if (isBranch) {
        this.useTree(nodeFlags * 2 ** 32 + length, onValue, depth + 1);
        continue;
      }
      const value = node + NODE_HEADER_BYTES + page.readUInt16LE(node + KEY_LENGTH_AT);
      if ((nodeFlags & BIG_VALUE) === 0) onValue?.(page, value, length);
      else {
        this.useBigValue(wordAt(page, value), wordAt(page, value + BIG_COUNT_AT), length, onValue);
      }
    }
  }

  /**
   * Notes what a list of free pages names: how many words follow, then a page each, or minus a count and
   * the first page of as many, or 0 for an empty place.
   */
  useList(page: Buffer, at: number, length: number): void {
    const end = at + WORD_BYTES * (1 + wordAt(page, at));
    if (end > at + length) throw new RangeError("a list of free pages is longer than its value");
    for (let place = at + WORD_BYTES; place < end; place += WORD_BYTES) {
      const word = wordAt(page, place);
      if (word > 0) this.use(word, 1);
      if (word < 0) this.use(wordAt(page, (place += WORD_BYTES)), -word);
    }
  }

  private useBigValue(first: number, count: number, length: number, onValue: OnValue | null): void {
    this.use(first, count);
    if (onValue === null) return;
    const bytes = readPages(this.handle, first, Buffer.alloc(count * PAGE_BYTES));
    onValue(bytes, PAGE_HEADER_BYTES, length);
  }

  /** @throws RangeError when a page has a use already, or is none of the file's */
  private use(first: number, count: number): void {
    if (!(first >= META_PAGES && count >= 1 && first + count <= this.isUsed.length)) {
      throw new RangeError(`${count} pages at ${first} are none of the file's`);
    }
    for (let page = first; page < first + count; page++) {
      if (this.isUsed[page] === 1) throw new RangeError(`page ${page} has two uses`);
      this.isUsed[page] = 1;
    }
  }
}

function readPages(handle: number, first: number, into: Buffer): Buffer {
  fs.readSync(handle, into, 0, into.length, first * PAGE_BYTES);
  return into;
}

/**
 * What is wrong with the list of free pages of a file that nobody writes: a page with two uses, or none of the
 * file's. Null when nothing is. A page without any use is no fault: it holds nothing and is lost until the
 * store is compacted. What is wrong elsewhere in the file is reported or overlooked: entries are not judged.
 */
export function freePagesProblem(file: string): string | null {
  const handle = fs.openSync(file, "r");
  try {
    const [newest] = [0, 1]
      .map((page) => readPages(handle, page, Buffer.alloc(PAGE_BYTES)))
      .sort((one, other) => wordAt(other, TRANSACTION_AT) - wordAt(one, TRANSACTION_AT));
    const meta = newest!;
    const pages = new Pages(handle, wordAt(meta, LAST_PAGE_AT) + 1);
    pages.useTree(wordAt(meta, ENTRIES_ROOT_AT), null);
    pages.useTree(wordAt(meta, FREE_ROOT_AT), (page, at, length) =>
      pages.useList(page, at, length),
    );
    return null;
  } catch (error) {
    // Also what a damaged number makes of a buffer's bounds.
    if (error instanceof RangeError) return error.message;
    throw error;
  } finally {
    fs.closeSync(handle);
  }
}
