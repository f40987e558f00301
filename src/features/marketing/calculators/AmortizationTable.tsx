import { formatUsd } from "#shared/money";
import { DataTable, type DataColumn } from "../../../components/ui/DataTable";
import type { Installment } from "./loan";

interface AmortizationTableProps {
  readonly rows: readonly Installment[];
  readonly unit: "Year" | "Month";
}

/** Payment by payment: what goes to interest, what to principal, and what is still owed. */
export function AmortizationTable({ rows, unit }: AmortizationTableProps) {
  const columns: readonly DataColumn<Installment>[] = [
    { key: "month", header: unit, cell: (row) => row.month },
    {
      key: "payment",
      header: "Payment",
      cell: (row) => formatUsd(row.paymentCents),
      isRight: true,
    },
    {
      key: "principal",
      header: "Principal",
      cell: (row) => formatUsd(row.principalCents),
      isRight: true,
    },
    {
      key: "interest",
      header: "Interest",
      cell: (row) => formatUsd(row.interestCents),
      isRight: true,
    },
    {
      key: "balance",
      header: "Balance",
      cell: (row) => formatUsd(row.balanceCents),
      isRight: true,
    },
  ];
  return (
    <DataTable
      caption={`Amortization by ${unit.toLowerCase()}`}
      columns={columns}
      rows={rows}
      rowKey={(row) => String(row.month)}
      renderNarrow={(row) => (
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <p className="min-w-0 flex-1 basis-[8rem]">
            <span className="block font-semibold">
              {unit} {row.month}
            </span>
            <span className="num block text-[0.8125rem] text-muted">
              {formatUsd(row.principalCents)} principal, {formatUsd(row.interestCents)} interest
            </span>
          </p>
          <p className="num ml-auto text-right">
            <span className="block font-semibold">{formatUsd(row.balanceCents)}</span>
            <span className="block text-[0.8125rem] text-muted">still owed</span>
          </p>
        </div>
      )}
    />
  );
}
