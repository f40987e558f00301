import { Inbox, MailCheck, Undo2 } from "lucide-react";
import type { ContactMethod, ContactSubject } from "#shared/validators";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { FormAlert } from "../../components/ui/FormAlert";
import { LoadMore, type PageStatus } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { MailLink } from "../../components/ui/TextLink";
import { formatDateTime, inOnePiece } from "../../lib/format";

export interface ContactMessage {
  readonly _id: string;
  readonly reference: string;
  readonly name: string;
  readonly email: string;
  readonly phone?: string;
  readonly subject: ContactSubject;
  readonly message: string;
  readonly preferredContact: ContactMethod;
  readonly createdAt: number;
  readonly isHandled: boolean;
  readonly handledBy?: string;
}

export interface ContactMessagesProps {
  messages: readonly ContactMessage[] | undefined;
  status: PageStatus;
  onLoadMore: () => void;
  onSetHandled: (messageId: string, isHandled: boolean) => void;
  /** Messages currently being marked. */
  busyMessageIds: readonly string[];
  /** Why a message could not be marked. */
  failureOf: (messageId: string) => string | undefined;
}

const LIST_ID = "contact-messages";

/** What visitors wrote on the contact page, newest first. */
export function ContactMessages(props: ContactMessagesProps) {
  const { messages, status, onLoadMore } = props;
  return (
    <Card aria-label="Messages" isFlush className="overflow-hidden">
      {messages === undefined ? (
        <SkeletonRows count={4} className="p-5" />
      ) : messages.length === 0 ? (
        <EmptyState icon={<Inbox />} title="No messages yet">
          Messages from the contact page will show here at once.
        </EmptyState>
      ) : (
        <ul id={LIST_ID} className="divide-y divide-line">
          {messages.map((message) => (
            <MessageItem key={message._id} message={message} {...props} />
          ))}
        </ul>
      )}
      <LoadMore status={status} onLoadMore={onLoadMore} listId={LIST_ID} />
    </Card>
  );
}

function MessageItem({
  message,
  onSetHandled,
  busyMessageIds,
  failureOf,
}: ContactMessagesProps & { message: ContactMessage }) {
  const { _id, isHandled, handledBy, reference } = message;
  return (
    <li className="grid gap-2 px-5 py-4 outline-none md:px-6">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-sans font-semibold wrap-anywhere">{message.name}</h2>
        <Badge tone={isHandled ? "pos" : "warn"}>{isHandled ? "handled" : "open"}</Badge>
        <span className="num text-sm text-muted sm:ml-auto">
          {reference}, {inOnePiece(formatDateTime(message.createdAt))}
        </span>
      </div>
      <p className="max-w-[75ch] wrap-anywhere whitespace-pre-line">{message.message}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 text-sm wrap-anywhere text-muted">
          About: {message.subject}. Prefers {message.preferredContact}.{" "}
          <MailLink address={message.email} />
          {message.phone !== undefined && `, ${message.phone}`}
          {isHandled && handledBy !== undefined && `. Handled by ${handledBy}`}
        </p>
        <Button
          variant="secondary"
          size="sm"
          isBusy={busyMessageIds.includes(_id)}
          aria-label={`${isHandled ? "Reopen" : "Mark as handled"}, message ${reference}`}
          isPressedOnce
          onClick={() => onSetHandled(_id, !isHandled)}
        >
          {isHandled ? (
            <Undo2 aria-hidden className="size-4" />
          ) : (
            <MailCheck aria-hidden className="size-4" />
          )}
          {isHandled ? "Reopen" : "Mark as handled"}
        </Button>
      </div>
      <FormAlert>{failureOf(_id)}</FormAlert>
    </li>
  );
}
