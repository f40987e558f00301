import { formatCount } from "#shared/counts";
import { QUEUE_COUNTED_MAX } from "#shared/limits";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { FunctionReturnType } from "convex/server";
import type { api } from "#api";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { DataTable } from "../../components/ui/DataTable";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { FormAlert } from "../../components/ui/FormAlert";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { formatAgo, formatDateTime, inOnePiece } from "../../lib/format";

type Health = FunctionReturnType<typeof api.admin.health.get>;

export interface HealthPanelsProps {
  /** Undefined while it loads. */
  health: Health | undefined;
  nowMs: number;
  onRunLedgerCheck: () => void;
  isBusy: boolean;
  failure: string | null;
  done: string | null;
}

/** Counts stop at a limit, of items or of what they hold: "that many or more". */
function queueCount(count: number, hasMore = false): string {
  return `${formatCount(count)}${hasMore || count >= QUEUE_COUNTED_MAX ? "+" : ""}`;
}

/** Ledger check, queues with their age, jobs. */
export function HealthPanels(props: HealthPanelsProps) {
  const { health, nowMs } = props;
  if (health === undefined) return <SkeletonRows count={6} />;
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
      <LedgerCard {...props} ledger={health.ledger} />
      <Card title="Jobs">
        <DefinitionList
          items={[
            { term: "Due now", value: queueCount(health.jobs.due) },
            { term: "Failed", value: queueCount(health.jobs.failed) },
          ]}
        />
      </Card>
      <Card title="Queues" isFlush className="overflow-hidden lg:col-span-2">
        <DataTable
          caption="Queues"
          rows={health.queues}
          rowKey={(queue) => queue.name}
          columns={[
            { key: "name", header: "Queue", cell: (queue) => queue.name, className: "font-medium" },
            {
              key: "oldest",
              header: "Oldest waiting since",
              cell: (queue) => oldestText(queue.oldestAt, nowMs),
              className: "first-letter:uppercase",
            },
            {
              key: "waiting",
              header: "Waiting",
              isRight: true,
              cell: (queue) => queueCount(queue.waiting, queue.hasMore),
            },
          ]}
          renderNarrow={(queue) => (
            <div className="flex flex-wrap justify-between gap-x-4">
              <p className="font-medium">{queue.name}</p>
              <p className="num">{queueCount(queue.waiting, queue.hasMore)} waiting</p>
              <p className="basis-full text-sm text-muted first-letter:uppercase">
                {oldestText(queue.oldestAt, nowMs)}
              </p>
            </div>
          )}
        />
      </Card>
    </div>
  );
}

function LedgerCard({
  ledger,
  nowMs,
  onRunLedgerCheck,
  isBusy,
  failure,
  done,
}: HealthPanelsProps & { ledger: Health["ledger"] }) {
  return (
    <Card
      title="Ledger check"
      lead="Every journal sums to zero, every balance equals its postings."
      actions={
        <Button
          variant="secondary"
          size="sm"
          isBusy={isBusy}
          busyLabel="Starting..."
          onClick={onRunLedgerCheck}
        >
          Check now
        </Button>
      }
    >
      <div className="grid gap-3">
        <FormAlert>{failure}</FormAlert>
        <StatusBanner>{done}</StatusBanner>
        {ledger === null ? (
          <p className="text-muted">The ledger has not been checked yet.</p>
        ) : (
          <>
            <p className="flex items-center gap-2 font-semibold">
              {ledger.isOk ? (
                <CircleCheck aria-hidden className="size-5 text-pos" />
              ) : (
                <TriangleAlert aria-hidden className="size-5 text-neg" />
              )}
              {ledger.isOk ? "The ledger is in order" : "The ledger has problems"}
              <Badge tone={ledger.isOk ? "pos" : "neg"}>{ledger.isOk ? "passed" : "failed"}</Badge>
            </p>
            {ledger.problems.length > 0 && (
              <ul className="grid list-disc gap-1 pl-5 text-neg">
                {ledger.problems.map((problem) => (
                  <li key={problem} className="wrap-anywhere">
                    {problem}
                  </li>
                ))}
              </ul>
            )}
            <DefinitionList
              items={[
                {
                  term: "Checked",
                  value: `${inOnePiece(formatDateTime(ledger.checkedAt))} (${formatAgo(ledger.checkedAt, nowMs)})`,
                },
                { term: "Journals", value: formatCount(ledger.journals) },
                { term: "Postings", value: formatCount(ledger.postings) },
              ]}
            />
          </>
        )}
      </div>
    </Card>
  );
}

function oldestText(oldestAt: number | undefined, nowMs: number): string {
  return oldestAt === undefined ? "Nothing is waiting" : formatAgo(oldestAt, nowMs);
}
