/** Errors of the database room that callers distinguish. Everything else is a plain Error. */

/** Something the transaction read has been written since it began. Run it again. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
  constructor() {
    super(
      "Data read or written in this mutation changed while it was being run. Consider reducing " +
        "the amount of data read by using indexed queries with selective index range expressions.",
    );
  }
}

/** The database is read-only; the message says why. */
export class ReadOnlyError extends Error {
  override readonly name = "ReadOnlyError";
}

/**
 * The log failed in the middle of writing a commit. Whether the commit is durable is known only at the next
 * start, so the caller must be told neither that it succeeded nor that it failed.
 */
export class UnknownOutcomeError extends Error {
  override readonly name = "UnknownOutcomeError";
}

/** The applier thread ended or cannot be made, or there is nothing left to read the log with. Only another process can continue, from the log. */
export class ApplierEndedError extends Error {
  override readonly name = "ApplierEndedError";
}

/** Existing documents do not fit the schema. The message is the official one. */
export class SchemaMismatchError extends Error {
  override readonly name = "SchemaMismatchError";
}

/** The cursor belongs to another query, or is malformed. */
export class InvalidCursorError extends Error {
  override readonly name = "InvalidCursorError";
  /** Makes the client library restart the pagination. */
  readonly data = { isConvexSystemError: true, paginationError: "InvalidCursor" } as const;
  constructor() {
    super(
      "InvalidCursor: Tried to run a query starting from a cursor, but it looks like this cursor " +
        "is from a different query.",
    );
  }
}
