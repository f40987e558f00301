import { useState } from "react";
import { Check, Hourglass, X } from "lucide-react";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { ReasonDialog } from "../../components/ui/ReasonDialog";
import { formatDateTime } from "../../lib/format";

export interface WaitingApproval {
  readonly _id: string;
  /** Name of the action, as in "account.update". */
  readonly kind: string;
  readonly targetLabel: string;
  /** What the change does, line by line. */
  readonly lines: readonly string[];
  readonly requestedBy: string;
  readonly requestedAt: number;
  /** Asked for by the reader, who cannot approve it. */
  readonly isOwn: boolean;
}

export interface ApprovalListProps {
  approvals: readonly WaitingApproval[];
  /** Each resolves to true when it was done. */
  onApprove: (approvalId: string) => Promise<boolean>;
  onReject: (approvalId: string, reason: string) => Promise<boolean>;
  isBusy: boolean;
  failure: string | null;
  clearFailure: () => void;
}

const KIND_TEXTS: Readonly<Record<string, string>> = {
  "account.update": "Account edit",
  "transactions.add": "New transactions",
  "transactions.remove": "Deletion of a transaction",
  "transactions.removeBatch": "Deletion of a batch",
  "transactions.removeAll": "Deletion of all transactions",
  "policy.set": "Policy",
  "user.resetPassword": "Password",
  "user.setRole": "Role",
};

/** Changes that wait for a second administrator, each with its decision. */
export function ApprovalList({ approvals, ...decision }: ApprovalListProps) {
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {approvals.map((approval) => (
        <li key={approval._id}>
          <ApprovalCard approval={approval} {...decision} />
        </li>
      ))}
    </ul>
  );
}

function ApprovalCard({
  approval,
  onApprove,
  onReject,
  isBusy,
  failure,
  clearFailure,
}: Omit<ApprovalListProps, "approvals"> & { approval: WaitingApproval }) {
  const { _id, kind, targetLabel, lines, requestedBy, requestedAt, isOwn } = approval;
  const [asked, setAsked] = useState<"approve" | "reject" | null>(null);
  const title = `${KIND_TEXTS[kind] ?? kind}, ${targetLabel}`;
  const onClose = () => {
    clearFailure();
    setAsked(null);
  };
  const question = { onClose, isBusy, failure, description: title };
  return (
    <Card
      title={title}
      lead={
        <span className="inline-flex flex-wrap items-center gap-x-1.5">
          <Hourglass aria-hidden className="size-4" />
          Asked for by {requestedBy} on {formatDateTime(requestedAt)}.{" "}
          {isOwn && "Another administrator has to approve it."}
        </span>
      }
      actions={
        <>
          <Button variant="dangerGhost" size="sm" onClick={() => setAsked("reject")}>
            <X aria-hidden className="size-4" />
            {isOwn ? "Withdraw change" : "Refuse change"}
          </Button>
          {!isOwn && (
            <Button size="sm" onClick={() => setAsked("approve")}>
              <Check aria-hidden className="size-4" />
              Approve change
            </Button>
          )}
        </>
      }
    >
      <ul className="num grid gap-1 text-sm">
        {lines.map((line, index) => (
          <li key={index} className="break-words">
            {line}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        {...question}
        isOpen={asked === "approve"}
        onConfirm={() => onApprove(_id)}
        title="Approve this change?"
        confirmLabel="Approve change"
        busyLabel="Approving..."
        variant="primary"
      />
      <ReasonDialog
        {...question}
        isOpen={asked === "reject"}
        onConfirm={(reason) => onReject(_id, reason)}
        title={isOwn ? "Withdraw this change" : "Refuse this change"}
        hint="Kept in the audit log."
        confirmLabel={isOwn ? "Withdraw change" : "Refuse change"}
      />
    </Card>
  );
}
