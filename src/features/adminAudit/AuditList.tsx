import { ScrollText } from "lucide-react";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { LoadMore, type PageStatus } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { formatDateTime } from "../../lib/format";
import { actionText } from "./auditActions";
import { changesOf, fieldText, targetText, type AuditEntry } from "./auditChanges";

export interface AuditListProps {
  entries: readonly AuditEntry[] | undefined;
  isStale: boolean;
  status: PageStatus;
  onLoadMore: () => void;
}

const LIST_ID = "audit-log";

/** Who did what to whom, newest first, each with what changed and why. */
export function AuditList({ entries, isStale, status, onLoadMore }: AuditListProps) {
  return (
    <Card aria-label="Audit entries" isFlush className="overflow-hidden">
      {entries === undefined ? (
        <SkeletonRows count={6} className="p-5" />
      ) : entries.length === 0 && !isStale ? (
        <NoEntries isExhausted={status === "Exhausted"} />
      ) : (
        <ol id={LIST_ID} aria-busy={isStale || undefined} className="divide-y divide-line">
          {entries.map((entry) => (
            <EntryItem key={entry._id} entry={entry} />
          ))}
        </ol>
      )}
      <LoadMore status={status} onLoadMore={onLoadMore} listId={LIST_ID} />
    </Card>
  );
}

/** A page may be empty while older ones are not: the filters thin out what was read. */
function NoEntries({ isExhausted }: { isExhausted: boolean }) {
  if (!isExhausted) {
    return (
      <EmptyState icon={<ScrollText />} title="No match among the newest entries">
        Load more to look further back.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<ScrollText />} title="No entries">
      What administrators do is recorded here as it happens.
    </EmptyState>
  );
}

function EntryItem({ entry }: { entry: AuditEntry }) {
  const changes = changesOf(entry);
  const isReasonShown = changes.some(
    ({ name, after }) => name === "reason" && after === entry.reason,
  );
  return (
    <li className="grid gap-x-6 gap-y-1.5 px-5 py-3.5 outline-none md:grid-cols-[10.5rem_minmax(0,1fr)_minmax(0,1.2fr)] md:px-6">
      <p className="num text-sm text-muted">
        <time dateTime={new Date(entry.at).toISOString()}>{formatDateTime(entry.at)}</time>
      </p>
      <div className="min-w-0">
        <p className="font-semibold">{actionText(entry.action)}</p>
        <p className="text-sm wrap-anywhere">{targetText(entry)}</p>
        <p className="text-sm wrap-anywhere text-muted">
          by {entry.actorEmail}
          {entry.requestedBy !== undefined && `, requested by ${entry.requestedBy}`}
        </p>
      </div>
      <div className="grid min-w-0 content-start gap-1 text-sm">
        {changes.length > 0 && (
          <dl className="grid gap-1">
            {changes.map((change) => (
              <div key={change.name} className="flex flex-wrap gap-x-2">
                <dt className="text-muted">{fieldText(change.name)}</dt>
                <dd className="num min-w-0 wrap-anywhere whitespace-pre-line">
                  {change.before !== "" && (
                    <>
                      <del dir="auto" className="text-muted">
                        {change.before}
                      </del>{" "}
                    </>
                  )}
                  {change.after !== "" && (
                    <ins dir="auto" className="no-underline">
                      {change.after}
                    </ins>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
        {entry.reason !== undefined && !isReasonShown && (
          <p className="wrap-anywhere whitespace-pre-line">
            <span className="mr-1 text-muted">Reason</span> {entry.reason}
          </p>
        )}
      </div>
    </li>
  );
}
