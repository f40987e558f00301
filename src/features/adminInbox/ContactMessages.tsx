import { useRef } from "react";
import { Inbox, MailCheck, Search, Undo2 } from "lucide-react";
import type { FunctionReturnType } from "convex/server";
import type { api } from "#api";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { EmptyState } from "../../components/ui/EmptyState";
import { FormAlert } from "../../components/ui/FormAlert";
import { LoadMore, type PageStatus } from "../../components/ui/LoadMore";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { Tabs } from "../../components/ui/Tabs";
import { TextInput } from "../../components/ui/TextInput";
import { MailLink } from "../../components/ui/TextLink";
import { useReturnFocus } from "../../hooks/useReturnFocus";
import { formatDateTime, inOnePiece } from "../../lib/format";

export type ContactMessage = FunctionReturnType<typeof api.admin.inbox.page>["page"][number];

export const MESSAGE_FILTERS = ["all", "open"] as const;
type MessageFilter = (typeof MESSAGE_FILTERS)[number];

export interface ContactMessagesProps {
  messages: readonly ContactMessage[] | undefined;
  /** True while another filter or search loads and the old rows still show. */
  isStale: boolean;
  filter: MessageFilter;
  onFilterChange: (filter: MessageFilter) => void;
  /** The beginning of a reference; it is looked for among all messages. */
  search: string;
  onSearchChange: (search: string) => void;
  status: PageStatus;
  onLoadMore: () => void;
  onSetHandled: (messageId: ContactMessage["_id"], isHandled: boolean) => void;
  /** Messages currently being marked. */
  busyMessageIds: readonly string[];
  /** Why a message could not be marked. */
  failureOf: (messageId: string) => string | undefined;
}

const LIST_ID = "contact-messages";
const FILTER_LABELS: Readonly<Record<MessageFilter, string>> = { all: "All", open: "Open" };

/** What visitors wrote on the contact page, newest first. */
export function ContactMessages(props: ContactMessagesProps) {
  const { messages, isStale, filter, onFilterChange, search, onSearchChange } = props;
  const bar = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useReturnFocus(list, messages);
  const clearSearch = () => {
    onSearchChange("");
    // The button goes with the search. Not the search field: a phone would open its keyboard.
    bar.current?.focus();
  };
  return (
    <Tabs
      label="Filter messages"
      value={filter}
      onValueChange={onFilterChange}
      items={MESSAGE_FILTERS.map((value) => ({ value, label: FILTER_LABELS[value] }))}
    >
      <div className="pt-5">
        <Card aria-label="Messages" isFlush className="overflow-hidden">
          <div
            ref={bar}
            role="search"
            tabIndex={-1}
            className="no-print border-b border-line p-4 md:px-6"
          >
            <TextInput
              label="Search all messages by reference number"
              isLabelHidden
              type="search"
              placeholder="Reference number"
              icon={<Search />}
              autoComplete="off"
              spellCheck={false}
              fieldClassName="w-80 max-sm:w-full"
              value={search}
              onChange={(event) => onSearchChange(event.target.value)}
            />
          </div>
          {messages === undefined ? (
            <SkeletonRows count={4} className="p-5" />
          ) : (
            <ul
              ref={list}
              id={LIST_ID}
              tabIndex={-1}
              aria-busy={isStale || undefined}
              className="divide-y divide-line"
            >
              {messages.map((message) => (
                <MessageItem key={message._id} message={message} {...props} />
              ))}
            </ul>
          )}
          {messages?.length === 0 && (
            <NoMessages filter={filter} search={search} onClear={clearSearch} />
          )}
          <LoadMore status={props.status} onLoadMore={props.onLoadMore} listId={LIST_ID} />
        </Card>
      </div>
    </Tabs>
  );
}

function NoMessages({
  filter,
  search,
  onClear,
}: Pick<ContactMessagesProps, "filter" | "search"> & { onClear: () => void }) {
  if (search !== "") {
    return (
      <EmptyState
        icon={<Inbox />}
        title={`No message with the number "${search}"`}
        action={
          <Button variant="secondary" size="sm" onClick={onClear}>
            Clear search
          </Button>
        }
      >
        Search matches the beginning of reference numbers.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<Inbox />}
      title={filter === "open" ? "No messages are open" : "No messages yet"}
    >
      Messages from the contact page will show here at once.
    </EmptyState>
  );
}

function MessageItem({
  message,
  onSetHandled,
  busyMessageIds,
  failureOf,
}: ContactMessagesProps & { message: ContactMessage }) {
  const { _id, isHandled, handledBy, reference } = message;
  // The form does not ask for one (spec section 5).
  const isPhoneMissing = message.preferredContact === "phone" && message.phone === undefined;
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
          About: {message.subject}. Prefers {message.preferredContact}
          {isPhoneMissing && ", but gave no number"}. <MailLink address={message.email} />
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
