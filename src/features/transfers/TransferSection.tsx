import { INSTITUTION } from "#shared/institution";
import { Suspense, useState } from "react";
import type { SelectableAccount } from "../../components/bank/AccountSelect";
import { Card } from "../../components/ui/Card";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { Skeleton } from "../../components/ui/Skeleton";
import { Tabs } from "../../components/ui/Tabs";
import { lazyPage, lazyPart } from "../../lib/lazyPart";
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

type TabValue = (typeof TABS)[number]["value"];

function FormSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-5">
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-13 w-full" />
      <Skeleton className="h-12 w-40" />
    </div>
  );
}

/**
 * Transfer Money with its four tabs (spec section 2). Only the chosen form exists, so that every
 * label is there once; what was typed in the others waits as a draft.
 */
export function TransferSection({ accounts }: { readonly accounts: readonly SelectableAccount[] }) {
  const [tab, setTab] = useState<TabValue>("internal");
  const usage = useTransferUsage();
  const { label, Panel } = TABS.find(({ value }) => value === tab) ?? TABS[0];
  return (
    <Card
      id={TRANSFER_SECTION_ID}
      title="Transfer Money"
      actions={<TransferUsageBadge usage={usage} />}
    >
      <Tabs<TabValue>
        label="Ways to transfer"
        value={tab}
        onValueChange={setTab}
        listClassName="-mx-5 px-5 md:-mx-6 md:px-6"
        items={TABS.map((item) => ({ value: item.value, label: item.label }))}
      >
        <div className="pt-5">
          <ErrorBoundary key={tab} name={`“${label}”`}>
            <Suspense fallback={<FormSkeleton />}>
              <Panel accounts={accounts} isGateClosed={isGateClosed(usage)} />
            </Suspense>
          </ErrorBoundary>
        </div>
      </Tabs>
    </Card>
  );
}
