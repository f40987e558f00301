/** The limits of one transaction, and the meter that enforces them. Numbers and messages are Convex's. */
import type { Metric, TransactionLimits, TransactionMetrics } from "./types.ts";

export const DOCUMENTS_READ_MAX = 32_000;
export const READ_MAX_BYTES = 16 * 1024 * 1024;
export const INDEX_RANGES_READ_MAX = 4_096;
export const DOCUMENTS_WRITTEN_MAX = 16_000;
export const WRITTEN_MAX_BYTES = 16 * 1024 * 1024;
export const DOCUMENT_MAX_BYTES = 1024 * 1024;
export const DOCUMENT_NESTING_MAX = 16;
export const QUERY_OPERATORS_MAX = 256;
export const INDEX_FIELDS_MAX = 16;
export const INDEXES_PER_TABLE_MAX = 64;
export const TABLES_MAX = 10_000;

const HELP =
  "Consider using smaller limits in your queries, paginating your queries, or using indexed " +
  "queries with a selective index range expressions.";

/** The limits of a transaction, unless they are restricted. */
const LIMITS: TransactionLimits = {
  bytesRead: READ_MAX_BYTES,
  bytesWritten: WRITTEN_MAX_BYTES,
  databaseQueries: INDEX_RANGES_READ_MAX,
  documentsRead: DOCUMENTS_READ_MAX,
  documentsWritten: DOCUMENTS_WRITTEN_MAX,
};

const MIB = 1024 * 1024;
const shownBytes = (bytes: number): string =>
  bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes} bytes`;

/** What a transaction has used. System tables (`_…`) are not counted. */
export class Meter {
  bytesRead = 0;
  bytesWritten = 0;
  databaseQueries = 0;
  documentsRead = 0;
  documentsWritten = 0;
  private limits = LIMITS;

  /** @throws Error `Too many reads …` */
  countRange(): void {
    const { databaseQueries } = this.limits;
    if (++this.databaseQueries > databaseQueries) {
      throw new Error(
        `Too many reads in a single function execution (limit: ${databaseQueries}). ${HELP}`,
      );
    }
  }

  /** @throws Error `Too many documents read …`, then `Too many bytes read …` */
  countRead(sizeBytes: number): void {
    const { documentsRead, bytesRead } = this.limits;
    this.bytesRead += sizeBytes;
    if (++this.documentsRead > documentsRead) {
      throw new Error(
        `Too many documents read in a single function execution (limit: ${documentsRead}). ${HELP}`,
      );
    }
    if (this.bytesRead > bytesRead) {
      throw new Error(
        `Too many bytes read in a single function execution (limit: ${bytesRead} bytes). ${HELP}`,
      );
    }
  }

  /** @throws Error `Too many writes …`, then `Too many bytes written …` */
  countWrite(sizeBytes: number): void {
    const { documentsWritten, bytesWritten } = this.limits;
    this.bytesWritten += sizeBytes;
    if (++this.documentsWritten > documentsWritten) {
      throw new Error(
        `Too many writes in a single function execution (limit: ${documentsWritten})`,
      );
    }
    if (this.bytesWritten > bytesWritten) {
      throw new Error(
        `Too many bytes written in a single function execution (limit: ${shownBytes(bytesWritten)})`,
      );
    }
  }

  /** Whether `countRead` would accept one more document of this size. */
  hasRoomFor(sizeBytes: number): boolean {
    const { documentsRead, bytesRead } = this.limits;
    return this.documentsRead < documentsRead && this.bytesRead + sizeBytes <= bytesRead;
  }

  /** See `Transaction.restrict`. */
  restrict(budget: Partial<TransactionLimits>): () => void {
    const before = this.limits;
    const lowered = (what: keyof TransactionLimits): number =>
      Math.min(before[what], this[what] + (budget[what] ?? Infinity));
    this.limits = {
      bytesRead: lowered("bytesRead"),
      bytesWritten: lowered("bytesWritten"),
      databaseQueries: lowered("databaseQueries"),
      documentsRead: lowered("documentsRead"),
      documentsWritten: lowered("documentsWritten"),
    };
    return () => void (this.limits = before);
  }

  metrics(): TransactionMetrics {
    const metric = (what: keyof TransactionLimits): Metric => ({
      used: this[what],
      remaining: Math.max(0, this.limits[what] - this[what]),
    });
    return {
      bytesRead: metric("bytesRead"),
      bytesWritten: metric("bytesWritten"),
      databaseQueries: metric("databaseQueries"),
      documentsRead: metric("documentsRead"),
      documentsWritten: metric("documentsWritten"),
    };
  }
}
