/** The errors of the database room that callers tell apart. Everything else is a plain Error. */

/** Something the transaction read was written since it began. Run it again. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
  constructor() {
    super(
      "Data read or written in this mutation changed while it was being run. Consider reducing " +
        "the amount of data read by using indexed queries with selective index range expressions.",
    );
  }
}

/** Nothing is accepted any more; the message says why. */
export class ReadOnlyError extends Error {
  override readonly name = "ReadOnlyError";
}

/**
 * The log failed while it had taken a commit in by half: only the next start knows whether it was made. The
 * caller may be told neither that it was nor that it was not.
 */
export class UnknownOutcomeError extends Error {
  override readonly name = "UnknownOutcomeError";
}

/** What put commits into the store ended while it did: only another process can go on, from the log. */
export class ApplierEndedError extends Error {
  override readonly name = "ApplierEndedError";
}

/** Existing documents do not fit the schema. The message is the official one. */
export class SchemaMismatchError extends Error {
  override readonly name = "SchemaMismatchError";
}

/** A cursor of another query, or no cursor at all. */
export class InvalidCursorError extends Error {
  override readonly name = "InvalidCursorError";
  /** Marks it for the client library, which then starts over. */
  readonly data = { isConvexSystemError: true, paginationError: "InvalidCursor" } as const;
  constructor() {
    super(
      "InvalidCursor: Tried to run a query starting from a cursor, but it looks like this cursor " +
        "is from a different query.",
    );
  }
}
