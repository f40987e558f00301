/**
 * Finds damage in an LMDB file that reading its entries does not reveal and no checksum covers, but that
 * writes depend on: the list of free pages (with a wrong number in it, the next write may overwrite a page in
 * use), and the headers of pages and nodes (a wrong flag or transaction makes LMDB write to the wrong place).
 *
 * Reads the file directly, in LMDB's format (mdb.c of the `lmdb` package: MDB_meta, MDB_page, MDB_node,
 * MDB_ovpage). LMDB's own tools print only sums, which a changed number does not affect.
 */
import fs from "node:fs";

const PAGE_BYTES = 4096;
/**
 * Header fields of a page: its number, the transaction that wrote it, its kind. For a tree page also the
 * start (after two bytes for each node) and the end of its free space, counted from the end of this header;
 * for the first page of a big value, the number of its pages.
 */
const WRITER_AT = 8;
const KIND_AT = 18;
const ROOM_AT = 20;
const ROOM_END_AT = 22;
const PAGE_COUNT_AT = 20;
const PAGE_HEADER_BYTES = 24;
const BRANCH = 0x01;
const LEAF = 0x02;
const BIG_VALUE_PAGE = 0x04;

/**
 * Fields of the two meta pages at the start of the file: the roots of the tree of free pages and of the
 * entries' tree.
 */
const META_PAGES = 2;
const FREE_ROOT_AT = 88;
const ENTRIES_ROOT_AT = 136;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const NO_ROOT = -1;

/**
 * Header fields of a node: the length of its value or the number of its child page, flags, the key's length.
 * Key and value follow.
 */
const NODE_FLAGS_AT = 4;
const KEY_LENGTH_AT = 6;
const NODE_HEADER_BYTES = 8;
/**
 * Flag of a value on its own pages. The node then holds their first number, the transaction that wrote them,
 * their count.
 */
const BIG_VALUE = 0x01;
const BIG_WRITER_AT = 8;
const BIG_COUNT_AT = 16;
const BIG_BYTES = 24;
const WORD_BYTES = 8;
/** More levels than any valid tree has: a damaged page may point back to one of its ancestors. */
const DEPTH_MAX = 32;

const wordAt = (bytes: Buffer, at: number): number => Number(bytes.readBigInt64LE(at));

/** Receives a value: `length` bytes of `page` at `at`. */
type OnValue = (page: Buffer, at: number, length: number) => void;

/** Why a file must not be written. */
class Hazard extends RangeError {}

function demand(isSo: boolean, page: number, what: string): void {
  if (!isSo) throw new Hazard(`page ${page} ${what}`);
}

/** The pages of a file as of its last transaction, and which of them are in use. */
class Pages {
  private readonly handle: number;
  private readonly transaction: number;
  private readonly isUsed: Uint8Array;
  /** One buffer for each level of the tree being read. */
  private readonly buffers: Buffer[] = [];

  constructor(handle: number, transaction: number, count: number) {
    this.handle = handle;
    this.transaction = transaction;
    this.isUsed = new Uint8Array(count);
  }

  /**
   * Checks a tree and marks its pages as used. @param onValue receives each value; without it, big values are
   * not read
   */
  checkTree(root: number, onValue: OnValue | null, depth = 0): void {
    if (root === NO_ROOT) return;
    demand(depth <= DEPTH_MAX, root, "is too deep in its tree");
    this.use(root, 1);
    const page = readPages(this.handle, root, (this.buffers[depth] ??= Buffer.alloc(PAGE_BYTES)));
    const kind = page.readUInt16LE(KIND_AT);
    demand(kind === BRANCH || kind === LEAF, root, "is no page of a tree");
    this.checkHeader(page, root);
    const roomEnd = page.readUInt16LE(ROOM_END_AT);
    let nodesBytes = 0;
    const placesEnd = PAGE_HEADER_BYTES + page.readUInt16LE(ROOM_AT);
    for (let place = PAGE_HEADER_BYTES; place < placesEnd; place += 2) {
      const offset = page.readUInt16LE(place);
      const node = PAGE_HEADER_BYTES + offset;
      const length = page.readUInt32LE(node);
      const flags = page.readUInt16LE(node + NODE_FLAGS_AT);
      const value = node + NODE_HEADER_BYTES + page.readUInt16LE(node + KEY_LENGTH_AT);
      let valueBytes = 0;
      if (kind === BRANCH) this.checkTree(flags * 2 ** 32 + length, onValue, depth + 1);
      else {
        demand(flags === 0 || flags === BIG_VALUE, root, "has a value of an unknown kind");
        valueBytes = flags === BIG_VALUE ? BIG_BYTES : length;
        if (flags === BIG_VALUE) this.checkBigValue(page, value, length, onValue);
        else onValue?.(page, value, length);
      }
      const end = value + valueBytes;
      demand(offset >= roomEnd && end <= PAGE_BYTES, root, "has a node outside its place");
      nodesBytes += end - node + ((end - node) % 2);
    }
    const isFull = nodesBytes === PAGE_BYTES - PAGE_HEADER_BYTES - roomEnd;
    demand(
      isFull && placesEnd <= PAGE_HEADER_BYTES + roomEnd,
      root,
      "is not laid out as it should be",
    );
  }

  /**
   * Marks the pages in a list of free pages as used. The list is a word count, then for each entry either a
   * page number, or a negative count followed by the first page of as many, or 0 for an empty slot.
   */
  useList(page: Buffer, at: number, length: number): void {
    const count = wordAt(page, at);
    const end = at + WORD_BYTES * (1 + count);
    // LMDB takes a count below zero for a huge one.
    const isWithin = count >= 0 && end <= at + length;
    if (!isWithin) throw new Hazard("a list of free pages is longer than its value");
    for (let place = at + WORD_BYTES; place < end; place += WORD_BYTES) {
      const word = wordAt(page, place);
      if (word > 0) this.use(word, 1);
      if (word < 0) this.use(wordAt(page, (place += WORD_BYTES)), -word);
    }
  }

  private checkBigValue(page: Buffer, at: number, length: number, onValue: OnValue | null): void {
    const first = wordAt(page, at);
    const count = wordAt(page, at + BIG_COUNT_AT);
    this.checkWriter(wordAt(page, at + BIG_WRITER_AT), first);
    demand(count === Math.ceil((PAGE_HEADER_BYTES + length) / PAGE_BYTES), first, "is too many");
    this.use(first, count);
    const wanted = onValue === null ? 1 : count;
    const bytes = readPages(this.handle, first, Buffer.alloc(wanted * PAGE_BYTES));
    demand(bytes.readUInt16LE(KIND_AT) === BIG_VALUE_PAGE, first, "is no big value's");
    demand(bytes.readUInt32LE(PAGE_COUNT_AT) === count, first, "is of another length");
    this.checkHeader(bytes, first);
    onValue?.(bytes, PAGE_HEADER_BYTES, length);
  }

  private checkHeader(page: Buffer, number: number): void {
    demand(wordAt(page, 0) === number, number, "says it is another");
    this.checkWriter(wordAt(page, WRITER_AT), number);
  }

  /** LMDB treats pages of a later transaction as its own dirty pages in memory. */
  private checkWriter(transaction: number, page: number): void {
    const isPast = transaction >= 0 && transaction <= this.transaction;
    demand(isPast, page, "is from the future");
  }

  private use(first: number, count: number): void {
    const isInFile = first >= META_PAGES && count >= 1 && first + count <= this.isUsed.length;
    demand(isInFile, first, `and ${count - 1} after it are none of the file's`);
    for (let page = first; page < first + count; page++) {
      demand(this.isUsed[page] === 0, page, "has two uses");
      this.isUsed[page] = 1;
    }
  }
}

function readPages(handle: number, first: number, into: Buffer): Buffer {
  fs.readSync(handle, into, 0, into.length, first * PAGE_BYTES);
  return into;
}

/**
 * Why it would be unsafe to write to a file that no process is writing; null when it is safe. A page without
 * any use is safe: it holds nothing and is only lost space until the store is rebuilt or restored. Entries
 * are not checked.
 */
export function writeHazard(file: string): string | null {
  const handle = fs.openSync(file, "r");
  try {
    const metaAt = (page: number) => readPages(handle, page, Buffer.alloc(PAGE_BYTES));
    const [first, second] = [metaAt(0), metaAt(1)];
    const isFirst = wordAt(first, TRANSACTION_AT) >= wordAt(second, TRANSACTION_AT);
    const meta = isFirst ? first : second;
    const pages = new Pages(handle, wordAt(meta, TRANSACTION_AT), wordAt(meta, LAST_PAGE_AT) + 1);
    pages.checkTree(wordAt(meta, ENTRIES_ROOT_AT), null);
    pages.checkTree(wordAt(meta, FREE_ROOT_AT), (page, at, length) =>
      pages.useList(page, at, length),
    );
    return null;
  } catch (error) {
    // Includes reads outside of a buffer, which a damaged number can cause.
    if (error instanceof RangeError) return error.message;
    throw error;
  } finally {
    fs.closeSync(handle);
  }
}
