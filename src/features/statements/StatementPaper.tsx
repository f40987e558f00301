import { plural } from "#shared/counts";
import type { Statement } from "#shared/answers";
import { INSTITUTION } from "#shared/institution";
import { formatUsd } from "#shared/money";
import clsx from "clsx";
import type { Ref } from "react";
import { SignedAmount } from "../../components/bank/SignedAmount";
import { DataTable } from "../../components/ui/DataTable";
import { formatDate } from "../../lib/format";
import { entryText } from "../../lib/entryText";

type Row = Statement["rows"][number] & { readonly key: string };

interface StatementPaperProps {
  readonly statement: Statement;
  readonly ref: Ref<HTMLDivElement>;
}

/** Characters of a figure that has room beside another one on every phone: $999,999.99. */
const PHONE_LENGTH_MAX = 11;
/** Four such figures have room beside each other on a page: $9,999,999.99. */
const ROW_LENGTH_MAX = 13;

/** Figures next to each other as far as the longest one leaves room: overlapping, none could be read. */
function summaryColumns(figures: readonly bigint[]): string {
  const longest = Math.max(...figures.map((cents) => formatUsd(cents).length));
  if (longest > ROW_LENGTH_MAX) return "sm:grid-cols-2";
  return longest > PHONE_LENGTH_MAX
    ? "min-[24rem]:grid-cols-2 md:grid-cols-4"
    : // Two, or one where enlarged words leave no room for two.
      "grid-cols-[repeat(auto-fill,minmax(min(100%,max(6rem,40%)),1fr))] md:grid-cols-4";
}

/** One figure of the summary. */
function Figure({ label, cents }: { readonly label: string; readonly cents: bigint }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="num font-display text-lg font-semibold">{formatUsd(cents)}</dd>
    </div>
  );
}

/** The statement on the page: summary, rows with running balance; can be printed alone. */
export function StatementPaper({ statement, ref }: StatementPaperProps) {
  const rows: Row[] = statement.rows.map((row, index) => ({ ...row, key: String(index) }));
  const title = `${statement.accountType} statement, ${statement.label}`;
  const { openingCents, creditsCents, debitsCents, closingCents } = statement;
  const columns = summaryColumns([openingCents, creditsCents, debitsCents, closingCents]);
  return (
    <div ref={ref}>
      <p className="print-only mb-2 font-display text-lg font-semibold">{INSTITUTION.fullName}</p>
      <h3 className="text-sub-title">{title}</h3>
      <p className="num mt-1 text-sm wrap-anywhere text-muted">
        {statement.holderName}, account {statement.accountNumber}, routing {statement.routingNumber}
      </p>
      <dl className={clsx("my-4 grid gap-4 rounded-tile bg-sunken p-4 print:px-0", columns)}>
        <Figure label="Opening balance" cents={openingCents} />
        <Figure label="Money in" cents={creditsCents} />
        <Figure label="Money out" cents={debitsCents} />
        <Figure label="Closing balance" cents={closingCents} />
      </dl>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">No transactions in this period.</p>
      ) : (
        // Focusable, so that keys can scroll it.
        <div
          role="region"
          aria-label={plural(rows.length, "transaction")}
          tabIndex={0}
          className="shade-more -mx-5 max-h-110 overflow-y-auto border-y border-line md:-mx-6 md:max-h-101 print:mx-0 print:max-h-none print:overflow-visible"
        >
          <DataTable<Row>
            caption={title}
            rows={rows}
            rowKey={(row) => row.key}
            columns={[
              {
                key: "date",
                header: "Date",
                className: "whitespace-nowrap",
                cell: (row) => formatDate(row.date),
              },
              {
                key: "description",
                header: "Description",
                className: "wrap-anywhere min-w-40",
                cell: entryText,
              },
              {
                key: "amount",
                header: "Amount",
                isRight: true,
                cell: (row) => <SignedAmount type={row.type} amountCents={row.amountCents} />,
              },
              {
                key: "balance",
                header: "Balance",
                isRight: true,
                cell: (row) => formatUsd(row.balanceAfterCents),
              },
            ]}
            renderNarrow={(row) => (
              <div className="flex flex-wrap justify-between gap-x-3">
                <div className="min-w-0 flex-1 basis-24">
                  <p className="font-semibold wrap-anywhere">{entryText(row)}</p>
                  <p className="num text-sm text-muted">
                    {formatDate(row.date)}, balance {formatUsd(row.balanceAfterCents)}
                  </p>
                </div>
                <SignedAmount type={row.type} amountCents={row.amountCents} className="ml-auto" />
              </div>
            )}
          />
        </div>
      )}
    </div>
  );
}
