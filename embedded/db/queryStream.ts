/** Query streams: the rows of a plan, filtered by its operators. */
import type { PageRows } from "./pagination.ts";
import type { Operator } from "./queryPlan.ts";
import type { Row } from "./rowCursor.ts";
import type { Doc } from "./document.ts";
import type { QueryStream } from "./types.ts";

/** Applies operators to documents, in order. */
export class OperatorPipeline {
  private readonly operators: readonly Operator[];
  private readonly passed: number[];

  constructor(operators: readonly Operator[]) {
    this.operators = operators;
    this.passed = operators.map(() => 0);
  }

  /** True when a limit is reached: no further row need be read. */
  get isExhausted(): boolean {
    return this.operators.some(
      (operator, at) => operator.kind === "limit" && this.passed[at]! >= operator.count,
    );
  }

  accepts(doc: Doc): boolean {
    for (let at = 0; at < this.operators.length; at++) {
      const operator = this.operators[at]!;
      if (operator.kind === "limit") {
        if (this.passed[at]! >= operator.count) return false;
        this.passed[at]!++;
      } else if (!operator.accepts(doc.fields)) {
        return false;
      }
    }
    return true;
  }
}

/** Rows of a range, or hits of a search. `onRead` is called for every row read, also for those the operators reject. */
export class RowStream implements QueryStream {
  private readonly rows: PageRows;
  private readonly pipeline: OperatorPipeline;
  private readonly onRead: (doc: Doc) => void;

  constructor(rows: PageRows, operators: readonly Operator[], onRead: (doc: Doc) => void) {
    this.rows = rows;
    this.pipeline = new OperatorPipeline(operators);
    this.onRead = onRead;
  }

  next(): Doc | null {
    while (!this.pipeline.isExhausted) {
      const row: Row | null = this.rows.next();
      if (row === null) return null;
      this.onRead(row.doc);
      if (this.pipeline.accepts(row.doc)) return row.doc;
    }
    this.rows.close();
    return null;
  }

  close(): void {
    this.rows.close();
  }
}
