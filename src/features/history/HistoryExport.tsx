import { api } from "#api";
import { formatCount } from "#shared/counts";
import type { TxRow } from "#shared/answers";
import type { OfxAccount } from "#shared/ofx";
import { TEXTS } from "#shared/texts";
import { useConvex } from "convex/react";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/ui/Button";
import { useCommand } from "../../hooks/useCommand";
import { saveFile } from "../../lib/saveFile";
import type { HistoryFilters } from "./filters";
import { readHistory } from "./readHistory";

type Kind = "csv" | "ofx";

const PAGE_ROWS = 100;
/** Nobody would read a file with more rows than this. */
const EXPORT_ROWS_MAX = 10_000;
const CUT_TEXT = `The file holds the newest ${formatCount(EXPORT_ROWS_MAX)} rows. Choose dates for older ones.`;

/** The rows as a file; the code that makes it loads when first needed. */
async function fileOf(
  rows: readonly TxRow[],
  accounts: readonly OfxAccount[],
  kind: Kind,
): Promise<Blob> {
  if (kind === "csv") {
    const { transactionsCsv } = await import("#shared/statementExport");
    return new Blob([transactionsCsv(rows)], { type: "text/csv;charset=utf-8" });
  }
  const { transactionsOfx } = await import("#shared/ofx");
  return new Blob([transactionsOfx(rows, accounts, Date.now())], { type: "application/x-ofx" });
}

/** Saves everything that matches the filters, not only what is on the page. */
export function HistoryExport({ filters }: { readonly filters: HistoryFilters }) {
  const convex = useConvex();
  const [rowsRead, setRowsRead] = useState(0);
  const [saved, setSaved] = useState<"all" | "cut" | null>(null);
  const command = useCommand(
    async (wanted: Kind, wantedFilters: HistoryFilters) => {
      setRowsRead(0);
      setSaved(null);
      const read = await readHistory(
        (cursor) =>
          convex.query(api.transactions.history, {
            ...wantedFilters,
            paginationOpts: { numItems: PAGE_ROWS, cursor },
          }),
        EXPORT_ROWS_MAX,
        setRowsRead,
      );
      const accounts = await convex.query(api.accounts.listMine, {});
      saveFile(`transactions.${wanted}`, await fileOf(read.rows, accounts, wanted));
      setSaved(read.isCut ? "cut" : "all");
    },
    { fallback: "FILE_FAILED", hasEcho: false },
  );
  const button = (wanted: Kind, label: string) => (
    <Button
      variant="secondary"
      size="sm"
      isBusy={command.pending.some(([kind]) => kind === wanted)}
      busyLabel={`${formatCount(rowsRead)} rows...`}
      onClick={() => void command.run(wanted, filters)}
    >
      <Download aria-hidden className="size-4" />
      {label}
    </Button>
  );
  return (
    <>
      {button("csv", "Download CSV")}
      {button("ofx", "Download OFX")}
      <span role="status" className="text-sm text-pos empty:-ml-2">
        {saved === "all" && TEXTS.fileSaved}
      </span>
      <span role="alert" className="text-sm text-neg empty:-ml-2">
        {command.refusal?.message ?? (saved === "cut" && CUT_TEXT)}
      </span>
    </>
  );
}
