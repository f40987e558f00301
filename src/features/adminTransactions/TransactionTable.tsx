import { useRef, useState } from "react";
import { ReceiptText, Trash2 } from "lucide-react";
import type { FunctionReturnType } from "convex/server";
import type { api } from "#api";
import { plural } from "#shared/counts";
import { signedCents } from "#shared/ledger";
import { formatSignedUsd } from "#shared/money";
import { SignedAmount } from "../../components/bank/SignedAmount";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { DataTable, type DataColumn } from "../../components/ui/DataTable";
import { EmptyState } from "../../components/ui/EmptyState";
import { FormAlert } from "../../components/ui/FormAlert";
import { LoadMore, type PageStatus } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { useReturnFocus } from "../../hooks/useReturnFocus";
import { formatDate, formatTime, inOnePiece } from "../../lib/format";

export type AdminTransaction = FunctionReturnType<
  typeof api.admin.transactions.listForUser
>["page"][number];

export interface TransactionTableProps {
  /** Undefined while the first page loads. */
  rows: readonly AdminTransaction[] | undefined;
  status: PageStatus;
  onLoadMore: () => void;
  /** Resolves once the deletion has been answered. */
  onDelete: (transactionId: string) => Promise<unknown>;
  isDeleting: boolean;
  /** Why the last deletion was refused. */
  failure: string | null;
  /** Outcome of the last deletion, shown for three seconds. */
  done: string | null;
}

const LIST_ID = "user-transactions";

/** Opens the question about a row, from its button. */
type Ask = (row: AdminTransaction, button: HTMLElement) => void;

/** "User Transactions" with Delete on every row. */
export function TransactionTable(props: TransactionTableProps) {
  const { rows, status, onLoadMore, onDelete, isDeleting, failure, done } = props;
  const [asked, setAsked] = useState<AdminTransaction | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const { remember, finalFocus } = useReturnFocus(list, rows);
  const ask: Ask = (row, button) => {
    remember(button);
    setAsked(row);
  };
  const hasOutcome = done !== null || failure !== null;
  const isGone = asked !== null && rows?.every(({ _id }) => _id !== asked._id) === true;
  return (
    <Card
      title="User Transactions"
      isFlush
      // The row may be screens below.
      isTitleKept={hasOutcome}
      actions={
        // One fixed-size slot for all three: a Delete button must not move under the pointer.
        <div className="grid min-h-11 w-74 max-w-full items-center max-sm:-mt-1 max-sm:-mb-2 sm:-my-2 sm:justify-items-end">
          <StatusBanner>{done}</StatusBanner>
          <FormAlert>{failure}</FormAlert>
          {!hasOutcome && (
            <p className="num text-sm text-muted">
              {rows !== undefined && countText(rows, status)}
            </p>
          )}
        </div>
      }
    >
      <div ref={list} id={LIST_ID} tabIndex={-1}>
        <TransactionRows rows={rows} onAsk={ask} />
      </div>
      <LoadMore status={status} onLoadMore={onLoadMore} listId={LIST_ID} />
      <ConfirmDialog
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          if (asked !== null) await onDelete(asked._id);
          return true;
        }}
        title="Delete this transaction?"
        description={asked !== null && <Consequence row={asked} />}
        confirmLabel="Delete transaction"
        busyLabel="Deleting..."
        isBusy={isDeleting}
        failure={
          isGone && !isDeleting ? "This transaction has been deleted in the meantime." : null
        }
        finalFocus={finalFocus}
      />
    </Card>
  );
}

function TransactionRows({
  rows,
  onAsk,
}: {
  rows: readonly AdminTransaction[] | undefined;
  onAsk: Ask;
}) {
  if (rows === undefined) return <SkeletonRows count={4} className="p-5 md:px-6" />;
  if (rows.length === 0) {
    return (
      <EmptyState icon={<ReceiptText />} title="No transactions yet">
        Rows added here and the member's own transactions will show in this table.
      </EmptyState>
    );
  }
  return (
    <DataTable
      caption="User Transactions"
      columns={columnsFor(onAsk)}
      rows={rows}
      rowKey={(row) => row._id}
      width="wide"
      renderNarrow={(row) => <NarrowRow row={row} onAsk={onAsk} />}
    />
  );
}

function columnsFor(onAsk: Ask): DataColumn<AdminTransaction>[] {
  return [
    {
      key: "date",
      header: "Date",
      className: "@min-[61rem]:whitespace-nowrap",
      cell: (row) => (
        <>
          <span className="whitespace-nowrap">{formatDate(row.date)}</span>{" "}
          <span className="whitespace-nowrap text-muted">{formatTime(row.date)}</span>
        </>
      ),
    },
    {
      key: "description",
      header: "Description",
      className: "font-medium wrap-anywhere min-w-20 @min-[61rem]:min-w-40 print:min-w-24",
      cell: (row) => row.description,
    },
    { key: "account", header: "Account", cell: (row) => row.accountType },
    { key: "category", header: "Category", cell: (row) => row.category },
    { key: "status", header: "Status", cell: (row) => <Badge>{row.status}</Badge> },
    {
      key: "amount",
      header: "Amount",
      isRight: true,
      cell: (row) => <SignedAmount type={row.type} amountCents={row.amountCents} />,
    },
    {
      key: "delete",
      header: "Delete",
      isHeaderHidden: true,
      isRight: true,
      cell: (row) => <DeleteButton row={row} onAsk={onAsk} />,
    },
  ];
}

function NarrowRow({ row, onAsk }: { row: AdminTransaction; onAsk: Ask }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1">
      <p className="font-medium wrap-anywhere">{row.description}</p>
      <p className="text-right">
        <SignedAmount type={row.type} amountCents={row.amountCents} />
      </p>
      <p className="text-sm text-muted">
        <span className="whitespace-nowrap">{formatDate(row.date)}</span>{" "}
        <span className="whitespace-nowrap">{formatTime(row.date)},</span> {row.accountType}
      </p>
      <span className="row-span-2 self-center justify-self-end">
        <DeleteButton row={row} onAsk={onAsk} />
      </span>
      <p>
        <Badge>{row.status}</Badge>
      </p>
    </div>
  );
}

function DeleteButton({ row, onAsk }: { row: AdminTransaction; onAsk: Ask }) {
  return (
    <Button
      variant="dangerGhost"
      size="sm"
      className="-mr-3"
      aria-label={`Delete ${row.description}`}
      onClick={(event) => onAsk(row, event.currentTarget)}
    >
      <Trash2 aria-hidden className="size-4" />
      Delete
    </Button>
  );
}

function countText(rows: readonly AdminTransaction[], status: TransactionTableProps["status"]) {
  const count = plural(rows.length, "transaction");
  return status === "Exhausted" ? count : `Newest ${count}`;
}

function Consequence({ row }: { row: AdminTransaction }) {
  const amount = formatSignedUsd(signedCents(row.type, row.amountCents));
  return (
    <>
      {/* An amount after words in Arabic or Hebrew would otherwise be drawn backwards. */}
      <bdi>{row.description}</bdi>, {amount}, {inOnePiece(formatDate(row.date))}.{" "}
      {row.isPosted
        ? `Its effect on the ${row.accountType} balance is reversed.`
        : "It never touched the balance, so the balance stays as it is."}
    </>
  );
}
