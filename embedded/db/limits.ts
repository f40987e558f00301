/** The limits of one transaction, and the meter that enforces them. Numbers and messages are Convex's. */
import type { Metric, TransactionMetrics } from "./types.ts";

export const MAX_DOCUMENTS_READ = 32_000;
export const MAX_BYTES_READ = 16 * 1024 * 1024;
export const MAX_INDEX_RANGES_READ = 4_096;
export const MAX_DOCUMENTS_WRITTEN = 16_000;
export const MAX_BYTES_WRITTEN = 16 * 1024 * 1024;
export const MAX_DOCUMENT_BYTES = 1024 * 1024;
export const MAX_DOCUMENT_NESTING = 16;
export const MAX_QUERY_OPERATORS = 256;
export const MAX_INDEX_FIELDS = 16;
export const MAX_INDEXES_PER_TABLE = 64;
export const MAX_TABLES = 10_000;

const HELP =
  "Consider using smaller limits in your queries, paginating your queries, or using indexed " +
  "queries with a selective index range expressions.";

function metric(used: number, limit: number): Metric {
  return { used, remaining: Math.max(0, limit - used) };
}

/** What a transaction has used. System tables (`_…`) are not counted. */
export class Meter {
  documentsRead = 0;
  bytesRead = 0;
  rangesRead = 0;
  documentsWritten = 0;
  bytesWritten = 0;

  /** @throws Error `Too many reads …` */
  countRange(): void {
    if (++this.rangesRead > MAX_INDEX_RANGES_READ) {
      throw new Error(
        `Too many reads in a single function execution (limit: ${MAX_INDEX_RANGES_READ}). ${HELP}`,
      );
    }
  }

  /** @throws Error `Too many documents read …`, then `Too many bytes read …` */
  countRead(sizeBytes: number): void {
    this.bytesRead += sizeBytes;
    if (++this.documentsRead > MAX_DOCUMENTS_READ) {
      throw new Error(
        `Too many documents read in a single function execution (limit: ${MAX_DOCUMENTS_READ}). ${HELP}`,
      );
    }
    if (this.bytesRead > MAX_BYTES_READ) {
      throw new Error(
        `Too many bytes read in a single function execution (limit: ${MAX_BYTES_READ} bytes). ${HELP}`,
      );
    }
  }

  /** @throws Error `Too many writes …`, then `Too many bytes written …` */
  countWrite(sizeBytes: number): void {
    this.bytesWritten += sizeBytes;
    if (++this.documentsWritten > MAX_DOCUMENTS_WRITTEN) {
      throw new Error(
        `Too many writes in a single function execution (limit: ${MAX_DOCUMENTS_WRITTEN})`,
      );
    }
    if (this.bytesWritten > MAX_BYTES_WRITTEN) {
      throw new Error(
        `Too many bytes written in a single function execution (limit: ${MAX_BYTES_WRITTEN / 1024 / 1024} MiB)`,
      );
    }
  }

  /** Whether `countRead` would accept one more document of this size. */
  hasRoomFor(sizeBytes: number): boolean {
    return this.documentsRead < MAX_DOCUMENTS_READ && this.bytesRead + sizeBytes <= MAX_BYTES_READ;
  }

  metrics(): TransactionMetrics {
    return {
      bytesRead: metric(this.bytesRead, MAX_BYTES_READ),
      bytesWritten: metric(this.bytesWritten, MAX_BYTES_WRITTEN),
      databaseQueries: metric(this.rangesRead, MAX_INDEX_RANGES_READ),
      documentsRead: metric(this.documentsRead, MAX_DOCUMENTS_READ),
      documentsWritten: metric(this.documentsWritten, MAX_DOCUMENTS_WRITTEN),
    };
  }
}
