import { Mails } from "lucide-react";
import { plural } from "#shared/counts";
import type { OutboxStatus } from "#shared/validators";
import { Badge, type BadgeTone } from "../../components/ui/Badge";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { LoadMore, type PageStatus } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { formatDateTime, inOnePiece } from "../../lib/format";

interface OutboxMail {
  readonly _id: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly status: OutboxStatus;
  readonly attempts: number;
  readonly createdAt: number;
  readonly sentAt?: number;
  readonly lastError?: string;
}

export interface OutboxListProps {
  mails: readonly OutboxMail[] | undefined;
  status: PageStatus;
  onLoadMore: () => void;
}

const LIST_ID = "outbox";
const TONES: Readonly<Record<OutboxStatus, BadgeTone>> = {
  queued: "warn",
  sent: "pos",
  failed: "neg",
};

/** Every e-mail the product wrote, newest first, whether a provider delivers it or not. */
export function OutboxList({ mails, status, onLoadMore }: OutboxListProps) {
  return (
    <Card aria-label="Outbox" isFlush className="overflow-hidden">
      {mails === undefined ? (
        <SkeletonRows count={4} className="p-5" />
      ) : mails.length === 0 ? (
        <EmptyState icon={<Mails />} title="The outbox is empty">
          Emails to members and applicants will show here as they are written.
        </EmptyState>
      ) : (
        <ul id={LIST_ID} className="divide-y divide-line">
          {mails.map((mail) => (
            <MailItem key={mail._id} mail={mail} />
          ))}
        </ul>
      )}
      <LoadMore status={status} onLoadMore={onLoadMore} listId={LIST_ID} />
    </Card>
  );
}

function MailItem({ mail }: { mail: OutboxMail }) {
  return (
    <li className="outline-none">
      <details className="group px-5 py-3 md:px-6">
        <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control">
          <span className="min-w-0 flex-1 basis-60">
            <span className="block font-semibold wrap-anywhere">{mail.subject}</span>
            <span className="block text-sm wrap-anywhere text-muted">To {mail.to}</span>
          </span>
          <span className="num text-sm text-muted">{formatDateTime(mail.createdAt)}</span>
          <Badge tone={TONES[mail.status]}>{mail.status}</Badge>
        </summary>
        <div className="mt-3 grid gap-2 rounded-control bg-sunken p-4">
          <p className="max-w-[75ch] wrap-anywhere whitespace-pre-line">{mail.body}</p>
          <p className="num text-sm text-muted">{deliveryText(mail)}</p>
        </div>
      </details>
    </li>
  );
}

function deliveryText({ attempts, sentAt, lastError }: OutboxMail): string {
  if (sentAt !== undefined) return `Sent on ${inOnePiece(formatDateTime(sentAt))}.`;
  if (attempts === 0) return "Waiting for a mail provider.";
  const tried = `${plural(attempts, "attempt")} so far.`;
  return lastError === undefined ? tried : `${tried} Last answer: ${lastError}`;
}
