/** One page of a query: bounds from cursors, budgets, status and split point. */
import type { CursorCodec, CursorPosition } from "./cursor.ts";
import type { Doc } from "./document.ts";
import { keyAfter } from "./keyEncoding.ts";
import { READ_MAX_BYTES, DOCUMENTS_READ_MAX, type Meter } from "./limits.ts";
import type { Operator, RangePlan } from "./queryPlan.ts";
import { OperatorPipeline } from "./queryStream.ts";
import type { Row } from "./rowCursor.ts";
import type { IndexKey, KeyRange, PageRequest, PageResult } from "./types.ts";

/** A page that uses more than this part of a limit gets `SplitRecommended`. */
const SOFT_PART = 0.75;
/** Functions return pages, and no array may be longer. */
const PAGE_ROWS_MAX = 8192;

/** Whether the page is long, or reading it used much of what may be read. */
function isLarge({ page, keysRead, bytesRead }: Scan, request: PageRequest): boolean {
  const maxRows = Math.min(request.maximumRowsRead ?? Infinity, DOCUMENTS_READ_MAX);
  const maxBytes = Math.min(request.maximumBytesRead ?? Infinity, READ_MAX_BYTES);
  return (
    page.length > PAGE_ROWS_MAX * SOFT_PART ||
    keysRead.length > maxRows * SOFT_PART ||
    bytesRead > maxBytes * SOFT_PART
  );
}

/** The part of a plan's range that lies after `start` and up to `end` (both may be absent). */
export function pageRange(
  plan: RangePlan,
  start: CursorPosition | undefined,
  end: CursorPosition | undefined,
): KeyRange {
  let { low, high } = plan.range;
  const isReverse = plan.isReverse;
  if (start === null) {
    if (isReverse) high = low;
    else low = high;
  } else if (start !== undefined) {
    if (isReverse) high = start < high ? start : high;
    else low = keyAfter(start) > low ? keyAfter(start) : low;
  }
  if (end !== null && end !== undefined) {
    if (isReverse) low = end > low ? end : low;
    else high = keyAfter(end) < high ? keyAfter(end) : high;
  }
  return { low: low > high ? high : low, high };
}

/** Source of a page: rows in key order (backwards in a reversed query). */
export interface PageRows {
  next(): Row | null;
  close(): void;
}

interface PageContext {
  readonly rows: PageRows;
  readonly operators: readonly Operator[];
  /** False where half a page costs as much to read as the whole page. */
  readonly isSplittable: boolean;
  readonly request: PageRequest;
  readonly codec: Pick<CursorCodec, "encode" | "decode">;
  readonly query: Buffer;
  readonly meter: Meter;
  readonly onRead: (doc: Doc) => void;
}

interface Scan {
  readonly page: Doc[];
  readonly keysRead: IndexKey[];
  bytesRead: number;
  isAtEnd: boolean;
  isCutShort: boolean;
}

function scanRows(context: PageContext): Scan {
  const { rows, operators, request, meter } = context;
  const pipeline = new OperatorPipeline(operators);
  const scan: Scan = {
    page: [],
    keysRead: [],
    bytesRead: 0,
    isAtEnd: false,
    isCutShort: false,
  };
  const isOpenEnded = request.endCursor === null;
  // With a given end, the next page starts there, so stopping early would leave a gap.
  const maxRows = (isOpenEnded ? request.maximumRowsRead : null) ?? Infinity;
  const maxBytes = (isOpenEnded ? request.maximumBytesRead : null) ?? Infinity;
  // A page with fewer rows cannot be split: then the limit's error is thrown, or the missing rows would go
  // unnoticed.
  const rowsToCut = isOpenEnded ? 1 : context.isSplittable ? 2 : Infinity;
  for (;;) {
    if (isOpenEnded && scan.page.length >= request.pageSize) break;
    if (pipeline.isExhausted) {
      scan.isAtEnd = true;
      break;
    }
    const isOverBudget = scan.keysRead.length >= maxRows || scan.bytesRead >= maxBytes;
    if (isOverBudget && scan.keysRead.length > 0) {
      scan.isCutShort = true;
      break;
    }
    const row = rows.next();
    if (row === null) {
      scan.isAtEnd = true;
      break;
    }
    if (scan.keysRead.length >= rowsToCut && !meter.hasRoomFor(row.doc.sizeBytes)) {
      scan.isCutShort = true;
      break;
    }
    context.onRead(row.doc);
    scan.keysRead.push(row.key);
    scan.bytesRead += row.doc.sizeBytes;
    if (pipeline.accepts(row.doc)) scan.page.push(row.doc);
  }
  return scan;
}

function scannedAndClosed(context: PageContext): Scan {
  try {
    return scanRows(context);
  } finally {
    context.rows.close();
  }
}

/**
 * Reads the page and closes its rows. An exhausted budget ends the page (`SplitRequired`), but not before the
 * first row, so that the next page makes progress.
 * @throws what `onRead` and the operators throw
 */
export function readPage(context: PageContext): PageResult {
  const { request, codec, query } = context;
  const scan = scannedAndClosed(context);
  const { keysRead } = scan;
  // With an end cursor, the page extends to it even when the transaction's limit cut it short: the client
  // then reads its halves again. Without one, it extends to the last row read or to the end of the range.
  let continueCursor: string;
  let isDone: boolean;
  if (request.endCursor !== null) {
    continueCursor = request.endCursor;
    isDone = codec.decode(query, request.endCursor) === null;
  } else if (scan.isAtEnd) {
    continueCursor = codec.encode(query, null);
    isDone = true;
  } else {
    continueCursor = codec.encode(query, keysRead.at(-1)!);
    isDone = false;
  }
  const middle = keysRead[(keysRead.length - 1) >> 1];
  return {
    page: scan.page,
    isDone,
    continueCursor,
    splitCursor: context.isSplittable && keysRead.length >= 2 ? codec.encode(query, middle!) : null,
    pageStatus: scan.isCutShort
      ? "SplitRequired"
      : isLarge(scan, request)
        ? "SplitRecommended"
        : null,
  };
}
