import { useRef, useState, type RefObject } from "react";
import { ChevronDown, Mails } from "lucide-react";
import type { FunctionReturnType } from "convex/server";
import type { api } from "#api";
import { plural } from "#shared/counts";
import type { OutboxStatus } from "#shared/validators";
import { Badge, type BadgeTone } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { EmptyState } from "../../components/ui/EmptyState";
import { LoadMore, type PageStatus } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { Tabs } from "../../components/ui/Tabs";
import type { Acts, ActState } from "../../hooks/useActs";
import { useLatest } from "../../hooks/useLatest";
import { useReturnFocus } from "../../hooks/useReturnFocus";
import { formatDateTime, inOnePiece } from "../../lib/format";

type OutboxMail = FunctionReturnType<typeof api.admin.outbox.page>["page"][number];

export const OUTBOX_FILTERS = ["all", "failed"] as const;
type OutboxFilter = (typeof OUTBOX_FILTERS)[number];

export interface OutboxListProps extends Acts {
  mails: readonly OutboxMail[] | undefined;
  /** True while another filter loads and the old rows still show. */
  isStale: boolean;
  filter: OutboxFilter;
  onFilterChange: (filter: OutboxFilter) => void;
  status: PageStatus;
  onLoadMore: () => void;
  /** Resolves to true once it is queued. */
  onSendAgain: (mailId: OutboxMail["_id"]) => Promise<boolean>;
}

const LIST_ID = "outbox";
const FILTER_LABELS: Readonly<Record<OutboxFilter, string>> = { all: "All", failed: "Failed" };
const TONES: Readonly<Record<OutboxStatus, BadgeTone>> = {
  queued: "warn",
  sent: "pos",
  failed: "neg",
};

/** Every e-mail the product wrote, newest first, whether a provider delivers it or not. */
export function OutboxList(props: OutboxListProps) {
  const { mails, isStale, filter, onFilterChange, status, onLoadMore, done } = props;
  // The mail the question was opened for may leave the list meanwhile.
  const [asked, setAsked] = useState<OutboxMail | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const { finalFocus } = useReturnFocus(list, mails);
  return (
    <Tabs
      label="Filter emails"
      value={filter}
      onValueChange={onFilterChange}
      items={OUTBOX_FILTERS.map((value) => ({ value, label: FILTER_LABELS[value] }))}
    >
      <div className="grid grid-cols-1 gap-5 pt-5">
        <StatusBanner>{done}</StatusBanner>
        <Card aria-label="Outbox" isFlush className="overflow-hidden">
          {mails === undefined ? (
            <SkeletonRows count={4} className="p-5" />
          ) : (
            <ul
              ref={list}
              id={LIST_ID}
              tabIndex={-1}
              aria-busy={isStale || undefined}
              className="divide-y divide-line"
            >
              {mails.map((mail) => (
                <MailItem key={mail._id} mail={mail} onSendAgain={() => setAsked(mail)} />
              ))}
            </ul>
          )}
          {mails?.length === 0 && <NoMails filter={filter} />}
          <LoadMore status={status} onLoadMore={onLoadMore} listId={LIST_ID} />
        </Card>
      </div>
      <SendAgainDialog
        {...props}
        mail={asked}
        onClose={() => setAsked(null)}
        finalFocus={finalFocus}
      />
    </Tabs>
  );
}

function NoMails({ filter }: { filter: OutboxFilter }) {
  return filter === "failed" ? (
    <EmptyState icon={<Mails />} title="No email has failed">
      Emails that no attempt could deliver will show here.
    </EmptyState>
  ) : (
    <EmptyState icon={<Mails />} title="The outbox is empty">
      Emails to members and applicants will show here as they are written.
    </EmptyState>
  );
}

function MailItem({ mail, onSendAgain }: { mail: OutboxMail; onSendAgain: () => void }) {
  return (
    <li className="outline-none">
      <details className="group px-5 py-3 md:px-6">
        <summary className="flex cursor-pointer items-center gap-3 rounded-control">
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 basis-60">
              <span className="block font-semibold wrap-anywhere">{mail.subject}</span>
              <span className="block text-sm wrap-anywhere text-muted">To {mail.to}</span>
            </span>
            <span className="num text-sm text-muted">{formatDateTime(mail.createdAt)}</span>
            <Badge tone={TONES[mail.status]}>{mail.status}</Badge>
          </span>
          <ChevronDown
            aria-hidden
            className="size-4 shrink-0 text-muted transition-transform duration-120 group-open:rotate-180"
          />
        </summary>
        <div className="mt-3 grid gap-2 rounded-control bg-sunken p-4">
          <p className="max-w-[75ch] wrap-anywhere whitespace-pre-line">{mail.body}</p>
          <p className="num text-sm text-muted">{deliveryText(mail)}</p>
          {mail.status === "failed" && (
            <Button
              variant="secondary"
              size="sm"
              className="justify-self-start"
              onClick={onSendAgain}
            >
              Send again
            </Button>
          )}
        </div>
      </details>
    </li>
  );
}

function SendAgainDialog({
  mail,
  onClose,
  finalFocus,
  ...props
}: ActState &
  Pick<OutboxListProps, "onSendAgain"> & {
    /** Null while nothing is asked. */
    mail: OutboxMail | null;
    onClose: () => void;
    finalFocus: RefObject<HTMLElement | null>;
  }) {
  // While it closes, it still says what it asked.
  const shown = useLatest(mail ?? undefined).value;
  const to = `It goes to ${shown?.to ?? ""}, as it was written.`;
  return (
    <ConfirmDialog
      isOpen={mail !== null}
      onClose={() => {
        props.clearFailure();
        onClose();
      }}
      onConfirm={() => (mail === null ? Promise.resolve(true) : props.onSendAgain(mail._id))}
      title="Send this email again?"
      description={
        shown?.isToFormerAddress === true ? `${to} This is no longer the person's address.` : to
      }
      confirmLabel="Send again"
      variant="primary"
      isBusy={props.isBusy}
      failure={props.failure}
      finalFocus={finalFocus}
    />
  );
}

function deliveryText({ status, attempts, sentAt, lastError }: OutboxMail): string {
  if (sentAt !== undefined) return `Sent on ${inOnePiece(formatDateTime(sentAt))}.`;
  if (attempts === 0) return "Waiting for a mail provider.";
  const tried =
    status === "failed"
      ? `Given up after ${plural(attempts, "attempt")}.`
      : `${plural(attempts, "attempt")} so far.`;
  return lastError === undefined ? tried : `${tried} Last answer: ${lastError}`;
}
