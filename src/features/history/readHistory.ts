import type { TxRow } from "#shared/answers";

interface HistoryPage {
  readonly page: readonly TxRow[];
  readonly continueCursor: string;
  readonly isDone: boolean;
}

interface HistoryReading {
  readonly rows: readonly TxRow[];
  /** There are more rows than were wanted. */
  readonly isCut: boolean;
}

/** Reading again more often would help nobody: something happens all the time. */
const READINGS_MAX = 3;

/**
 * Reads the newest `rowsMax` rows, or somewhat more, page by page. A pending payment or check that is completed
 * meanwhile moves to the first page, which has been read by then, and would be in none: they are read again.
 */
export async function readHistory(
  readPage: (cursor: string | null) => Promise<HistoryPage>,
  rowsMax: number,
  onProgress: (rowsRead: number) => void,
): Promise<HistoryReading> {
  for (let reading = 1; ; reading += 1) {
    const first = await readPage(null);
    const rows = [...first.page];
    let { continueCursor, isDone } = first;
    onProgress(rows.length);
    while (!isDone && rows.length < rowsMax) {
      const next = await readPage(continueCursor);
      rows.push(...next.page);
      ({ continueCursor, isDone } = next);
      onProgress(rows.length);
    }
    const isOnePage = rows.length === first.page.length;
    if (isOnePage || reading === READINGS_MAX || isSame(first, await readPage(null))) {
      return { rows, isCut: !isDone };
    }
  }
}

/** Whether a page has the rows that it had. Not only the first: those with a date to come stay above a new one. */
function isSame(one: HistoryPage, other: HistoryPage): boolean {
  const isAsLong = one.page.length === other.page.length;
  return isAsLong && one.page.every(({ _id }, index) => _id === other.page[index]?._id);
}
