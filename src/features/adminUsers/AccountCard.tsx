import { useRef, useState } from "react";
import { Pencil } from "lucide-react";
import { formatUsd } from "#shared/money";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { CopyButton } from "../../components/ui/CopyButton";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import type { AccountValues } from "./accountEdit";
import { hasKeptEdit } from "./useKeptEdit";
import { AccountEditForm, type AccountChange } from "./AccountEditForm";

export interface AdminAccount extends AccountValues {
  readonly _id: string;
  readonly type: string;
}

export interface AccountCardProps {
  account: AdminAccount;
  /** Resolves to null when saved, otherwise to the sentence that says why not. */
  onSave: (accountId: string, change: AccountChange) => Promise<string | null>;
  /** What came of the last edit. */
  done: string | null;
  disabledReason?: string | undefined;
}

/** One account with its figures; Edit turns the card into a form in place. */
export function AccountCard({ account, onSave, done, disabledReason }: AccountCardProps) {
  // An edit interrupted by a time-out resumes by itself.
  const [isEditing, setIsEditing] = useState(() => hasKeptEdit(account._id));
  const [wasPressed, setWasPressed] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  useFocusHandover(isEditing, () => opener.current);
  const close = () => setIsEditing(false);
  return (
    <Card
      title={account.type}
      actions={
        !isEditing && (
          <Button
            ref={opener}
            variant="ghost"
            size="sm"
            className="-mr-3"
            aria-label={`Edit ${account.type}`}
            onClick={() => {
              setWasPressed(true);
              setIsEditing(true);
            }}
          >
            <Pencil aria-hidden className="size-4" />
            Edit
          </Button>
        )
      }
    >
      <StatusBanner className="mb-4">{done}</StatusBanner>
      {isEditing ? (
        <AccountEditForm
          label={`Edit ${account.type}`}
          accountId={account._id}
          current={account}
          disabledReason={disabledReason}
          takesFocus={wasPressed}
          onCancel={close}
          onSave={async (change) => {
            const refusal = await onSave(account._id, change);
            if (refusal === null) close();
            return refusal;
          }}
        />
      ) : (
        <AccountFigures account={account} />
      )}
    </Card>
  );
}

function AccountFigures({ account }: { account: AdminAccount }) {
  return (
    <>
      <p className="mb-3 flex flex-wrap items-baseline gap-x-2">
        <span className="num min-w-0 font-display text-3xl font-semibold wrap-anywhere">
          {formatUsd(account.availableCents)}
        </span>{" "}
        <span className="text-sm text-muted">available</span>
      </p>
      <DefinitionList
        items={[
          { term: "Current balance", value: formatUsd(account.balanceCents) },
          {
            term: "Account number",
            value: account.accountNumber,
            action: <CopyButton value={account.accountNumber} what="account number" />,
          },
          {
            term: "Routing number",
            value: account.routingNumber,
            action: <CopyButton value={account.routingNumber} what="routing number" />,
          },
        ]}
      />
    </>
  );
}
