import { plural } from "#shared/counts";
import { useRef, useState } from "react";
import { Undo2 } from "lucide-react";
import type { FunctionReturnType } from "convex/server";
import type { api } from "#api";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { FormAlert } from "../../components/ui/FormAlert";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { useReturnFocus } from "../../hooks/useReturnFocus";
import { formatDateTime, inOnePiece } from "../../lib/format";

export type TransactionBatch = FunctionReturnType<typeof api.admin.transactions.batches>[number];

export interface BatchListProps {
  batches: readonly TransactionBatch[] | undefined;
  onTakeBack: (batchId: string) => Promise<unknown>;
  isBusy: boolean;
  failure: string | null;
  done: string | null;
}

/** Groups of rows that were added together and can be taken back together. Renders nothing without groups. */
export function BatchList({ batches, onTakeBack, isBusy, failure, done }: BatchListProps) {
  const [asked, setAsked] = useState<TransactionBatch | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const { remember, finalFocus } = useReturnFocus(list, batches);
  if (batches === undefined || batches.length === 0) return null;
  const isGone = batches.some(({ batchId, isRemoved }) => batchId === asked?.batchId && isRemoved);
  return (
    <Card
      title="Added together"
      lead="Rows entered or uploaded together can be taken back together."
    >
      <div className="grid gap-3">
        <FormAlert>{failure}</FormAlert>
        <StatusBanner>{done}</StatusBanner>
        <ul ref={list} tabIndex={-1} className="divide-y divide-line">
          {batches.map((batch) => (
            <BatchItem
              key={batch.batchId}
              batch={batch}
              onAsk={(button) => {
                remember(button);
                setAsked(batch);
              }}
            />
          ))}
        </ul>
      </div>
      <ConfirmDialog
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          if (asked !== null) await onTakeBack(asked.batchId);
          return true;
        }}
        title={`Take back ${plural(asked?.count ?? 0, "transaction")}?`}
        description={asked !== null && consequence(asked)}
        confirmLabel="Take back"
        busyLabel="Taking back..."
        isBusy={isBusy}
        failure={isGone && !isBusy ? "These transactions have been deleted in the meantime." : null}
        finalFocus={finalFocus}
      />
    </Card>
  );
}

function consequence({ createdAt, createdBy, updateBalance }: TransactionBatch): string {
  const added = `Added ${inOnePiece(formatDateTime(createdAt))} by ${createdBy}.`;
  return updateBalance
    ? `${added} Transactions not yet deleted are deleted together, and their effect on the balances is reversed.`
    : `${added} Transactions not yet deleted are deleted together. They never touched the balances, which stay as they are.`;
}

function BatchItem({
  batch,
  onAsk,
}: {
  batch: TransactionBatch;
  onAsk: (button: HTMLElement) => void;
}) {
  const rows = plural(batch.count, "transaction");
  const addedAt = formatDateTime(batch.createdAt);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1">
        <p className="num font-medium">
          {rows}, {addedAt}
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {batch.createdBy}, {batch.updateBalance ? "balance updated" : "balance unchanged"}
        </p>
      </div>
      {batch.isRemoved ? (
        <Badge>taken back</Badge>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Take back ${rows} of ${addedAt}`}
          onClick={(event) => onAsk(event.currentTarget)}
        >
          <Undo2 aria-hidden className="size-4" />
          Take back
        </Button>
      )}
    </li>
  );
}
