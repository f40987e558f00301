/** A statement as a file: PDF, CSV or OFX. Not here: what is on it (the server, shared/statementExport, statementPdf). */
import type { Statement } from "#shared/answers";
import type { AccountType } from "#shared/validators";

export type FileKind = "pdf" | "csv" | "ofx";

export interface StatementChoice {
  readonly accountType: AccountType;
  /** `YYYY-MM` */
  readonly period: string;
}

/** "statement-checking-2025-03.pdf"; `account` tells those of several people apart. */
export function fileNameOf(
  { accountType, period }: StatementChoice,
  kind: FileKind,
  account?: string,
): string {
  const parts = ["statement", accountType.toLowerCase(), ...(account ? [account] : []), period];
  return `${parts.join("-")}.${kind}`;
}

/** The statement as a file; the code that makes it loads when first needed. */
export async function fileOf(statement: Statement, kind: FileKind): Promise<Blob> {
  switch (kind) {
    case "pdf": {
      const { statementPdf } = await import("./statementPdf");
      return statementPdf(statement).output("blob");
    }
    case "csv": {
      const { statementCsv } = await import("#shared/statementExport");
      return new Blob([statementCsv(statement)], { type: "text/csv;charset=utf-8" });
    }
    case "ofx": {
      const { statementOfx } = await import("#shared/ofx");
      return new Blob([statementOfx(statement, Date.now())], { type: "application/x-ofx" });
    }
    default:
      return kind satisfies never;
  }
}
