import { INSTITUTION } from "#shared/institution";
import { Suspense, useCallback, useRef, useState } from "react";
import type { SelectableAccount } from "../../components/bank/AccountSelect";
import { Card } from "../../components/ui/Card";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { Skeleton } from "../../components/ui/Skeleton";
import { Tabs } from "../../components/ui/Tabs";
import { useDraft } from "../../hooks/useDraft";
import { lazyPage, lazyPart } from "../../lib/lazyPart";
import type { TransferPanelProps } from "./panel";
import { SendingContext } from "./sending";
import { TransferUsageBadge } from "./TransferUsageBadge";
import { isGateClosed, useTransferUsage } from "./useTransferUsage";

const InternalTransfer = lazyPage(() => import("./internal/InternalTransfer"), "InternalTransfer");
const UserTransfer = lazyPart(() => import("./user/UserTransfer"), "UserTransfer");
const ExternalTransfer = lazyPart(() => import("./external/ExternalTransfer"), "ExternalTransfer");
const InternationalTransfer = lazyPart(
  () => import("./international/InternationalTransfer"),
  "InternationalTransfer",
);

/** Spec section 2: the in-page section that links lead to. */
export const TRANSFER_SECTION_ID = "transfer-section";

const TABS = [
  { value: "internal", label: "Between Accounts", Panel: InternalTransfer },
  { value: "user", label: `To a ${INSTITUTION.name} user`, Panel: UserTransfer },
  { value: "external", label: "To US Bank", Panel: ExternalTransfer },
  { value: "international", label: "International", Panel: InternationalTransfer },
] as const;

type Tab = (typeof TABS)[number];
type TabValue = Tab["value"];

const FIRST: { readonly tab: TabValue } = { tab: "internal" };

function FieldSkeleton({ className }: { readonly className: string }) {
  return (
    <div className="grid gap-1.5">
      <Skeleton className="h-5 w-24" />
      <Skeleton className={className} />
    </div>
  );
}

/** Laid out like the first form. */
function FormSkeleton() {
  return (
    <div aria-busy="true" className="@container grid gap-5">
      <div className="grid gap-3 @[38rem]:grid-cols-2">
        <FieldSkeleton className="h-11" />
        <div className="h-11 @[38rem]:hidden" />
        <FieldSkeleton className="h-11" />
      </div>
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
        <FieldSkeleton className="h-13" />
        <FieldSkeleton className="h-11 sm:h-13" />
      </div>
      <div className="grid gap-4 border-t border-line pt-4 sm:justify-end">
        <Skeleton className="h-10 w-3/4 sm:hidden" />
        <Skeleton className="h-12 sm:w-28" />
      </div>
    </div>
  );
}

interface TabContentProps extends TransferPanelProps {
  readonly tab: Tab;
  readonly isShown: boolean;
  readonly onSendingChange: (tab: TabValue, isSending: boolean) => void;
}

function TabContent({ tab, isShown, onSendingChange, ...panelProps }: TabContentProps) {
  const { value, label, Panel } = tab;
  const report = useCallback(
    (isSending: boolean) => onSendingChange(value, isSending),
    [onSendingChange, value],
  );
  return (
    <div hidden={!isShown} className="pt-5">
      <ErrorBoundary name={`“${label}”`}>
        <Suspense fallback={<FormSkeleton />}>
          <SendingContext value={report}>
            <Panel {...panelProps} />
          </SendingContext>
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

/**
 * Transfer Money with its four tabs (spec section 2). Only the chosen form is mounted, so that every label exists once;
 * what was typed in the others is kept as a draft. A tab that is left while sending stays mounted but hidden: otherwise
 * its form would come back filled in, ready to send the same again, and without the receipt. The choice is kept with the
 * drafts, or a reload would hide a half-filled form behind an empty one.
 */
export function TransferSection({ accounts }: { readonly accounts: readonly SelectableAccount[] }) {
  const [{ tab }, setChosen] = useDraft("transfer-tab", FIRST);
  const usage = useTransferUsage();
  const sending = useRef(new Set<TabValue>());
  /** Tabs that were left while sending, until they are left again. */
  const [kept, setKept] = useState<ReadonlySet<TabValue>>(new Set());
  const onSendingChange = useCallback((which: TabValue, isSending: boolean) => {
    if (isSending) sending.current.add(which);
    else sending.current.delete(which);
  }, []);
  const onTab = (next: TabValue) => {
    const others = [...kept].filter((value) => value !== tab);
    setKept(new Set([...others, ...sending.current]));
    setChosen({ tab: next });
  };
  return (
    <Card
      id={TRANSFER_SECTION_ID}
      title="Transfer Money"
      actions={<TransferUsageBadge usage={usage} />}
    >
      <Tabs<TabValue>
        label="Ways to transfer"
        value={tab}
        onValueChange={onTab}
        listClassName="-mx-5 px-5 md:-mx-6 md:px-6"
        items={TABS.map((item) => ({ value: item.value, label: item.label }))}
      >
        {TABS.filter(({ value }) => value === tab || kept.has(value)).map((item) => (
          <TabContent
            key={item.value}
            tab={item}
            isShown={item.value === tab}
            onSendingChange={onSendingChange}
            accounts={accounts}
            isGateClosed={isGateClosed(usage, item.value)}
          />
        ))}
      </Tabs>
    </Card>
  );
}
