import { INSTITUTION } from "#shared/institution";
import { lazy, Suspense, useState, type ReactNode } from "react";
import type { SelectableAccount } from "../../components/bank/AccountSelect";
import { Card } from "../../components/ui/Card";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { Skeleton } from "../../components/ui/Skeleton";
import { Tabs } from "../../components/ui/Tabs";
import { TransferUsage } from "./TransferUsage";

const InternalTransfer = lazy(async () => ({
  default: (await import("./internal/InternalTransfer")).InternalTransfer,
}));
const UserTransfer = lazy(async () => ({
  default: (await import("./user/UserTransfer")).UserTransfer,
}));
const ExternalTransfer = lazy(async () => ({
  default: (await import("./external/ExternalTransfer")).ExternalTransfer,
}));
const InternationalTransfer = lazy(async () => ({
  default: (await import("./international/InternationalTransfer")).InternationalTransfer,
}));

/** Spec section 2: the in-page section that links lead to. */
export const TRANSFER_SECTION_ID = "transfer-section";

type TabValue = "internal" | "user" | "external" | "international";

function FormSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-5">
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-13 w-full" />
      <Skeleton className="h-12 w-40" />
    </div>
  );
}

/** A form contained: it loads by itself and a failure of it leaves the page alive. */
function Panel({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="pt-5">
      <ErrorBoundary name={name}>
        <Suspense fallback={<FormSkeleton />}>{children}</Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** Transfer Money with its four tabs (spec section 2). */
export function TransferSection({ accounts }: { readonly accounts: readonly SelectableAccount[] }) {
  const [tab, setTab] = useState<TabValue>("internal");
  const panel = (name: string, children: ReactNode) => <Panel name={name}>{children}</Panel>;
  return (
    <Card id={TRANSFER_SECTION_ID} title="Transfer Money" actions={<TransferUsage />}>
      <Tabs<TabValue>
        label="Ways to transfer"
        value={tab}
        onValueChange={setTab}
        listClassName="-mx-5 px-5 md:-mx-6 md:px-6"
        items={[
          {
            value: "internal",
            label: "Between Accounts",
            content: panel("Between Accounts", <InternalTransfer accounts={accounts} />),
          },
          {
            value: "user",
            label: `To a ${INSTITUTION.name} user`,
            content: panel("This transfer form", <UserTransfer accounts={accounts} />),
          },
          {
            value: "external",
            label: "To US Bank",
            content: panel("To US Bank", <ExternalTransfer accounts={accounts} />),
          },
          {
            value: "international",
            label: "International",
            content: panel("International", <InternationalTransfer accounts={accounts} />),
          },
        ]}
      />
    </Card>
  );
}
