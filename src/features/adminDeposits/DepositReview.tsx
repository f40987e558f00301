import { useState } from "react";
import { Check, X } from "lucide-react";
import { MESSAGES } from "#shared/errors";
import { SHORT_TEXT_LENGTH_MAX } from "#shared/limits";
import { formatUsd, type Cents } from "#shared/money";
import type { AccountType, DepositStatus } from "#shared/validators";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { AlertDialog, Dialog } from "../../components/ui/Dialog";
import { FormAlert } from "../../components/ui/FormAlert";
import { Textarea } from "../../components/ui/TextInput";
import { formatDateTime } from "../../lib/format";
import { CheckImage } from "./CheckImage";
import type { DepositImageState } from "./useDepositImage";

export interface QueuedDeposit {
  readonly _id: string;
  readonly email: string;
  readonly name: string;
  readonly toAccount: AccountType;
  readonly amountCents: Cents;
  readonly status: DepositStatus;
  readonly createdAt: number;
  readonly frontImageId: string;
  readonly backImageId: string;
  readonly reviewedAt?: number;
  readonly reviewedBy?: string;
  readonly reason?: string;
}

export interface DepositReviewProps {
  deposit: QueuedDeposit;
  front: DepositImageState;
  back: DepositImageState;
  /** Each resolves to true when it was done. */
  onApprove: () => Promise<boolean>;
  onReject: (reason: string) => Promise<boolean>;
  isBusy: boolean;
  failure: string | null;
  clearFailure: () => void;
}

/** One deposit with both sides of the check, and the decision while it waits. */
export function DepositReview(props: DepositReviewProps) {
  const { deposit, front, back } = props;
  const [asked, setAsked] = useState<"approve" | "reject" | null>(null);
  const close = () => {
    props.clearFailure();
    setAsked(null);
  };
  return (
    <Card
      title={`${formatUsd(deposit.amountCents)} to ${deposit.toAccount}`}
      lead={`${deposit.name}, ${deposit.email}`}
      actions={<Badge hasDot>{deposit.status}</Badge>}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <CheckImage side="Front of check" image={front} />
          <CheckImage side="Back of check" image={back} />
        </div>
        <DefinitionList items={factsOf(deposit)} />
        {deposit.status === "Pending Review" && (
          <div className="flex flex-wrap justify-end gap-2 max-sm:[&>*]:flex-1">
            <Button variant="dangerGhost" onClick={() => setAsked("reject")}>
              <X aria-hidden className="size-4" />
              Reject deposit
            </Button>
            <Button onClick={() => setAsked("approve")}>
              <Check aria-hidden className="size-4" />
              Approve deposit
            </Button>
          </div>
        )}
      </div>
      <ApproveDialog {...props} isOpen={asked === "approve"} onClose={close} />
      <RejectDialog {...props} isOpen={asked === "reject"} onClose={close} />
    </Card>
  );
}

function factsOf(deposit: QueuedDeposit) {
  return [
    { term: "Submitted", value: formatDateTime(deposit.createdAt) },
    ...(deposit.reviewedAt === undefined
      ? []
      : [{ term: "Reviewed", value: formatDateTime(deposit.reviewedAt) }]),
    ...(deposit.reviewedBy === undefined
      ? []
      : [{ term: "Reviewed by", value: deposit.reviewedBy }]),
    ...(deposit.reason === undefined ? [] : [{ term: "Reason", value: deposit.reason }]),
  ];
}

type DecisionProps = DepositReviewProps & { isOpen: boolean; onClose: () => void };

function ApproveDialog({ deposit, onApprove, isBusy, failure, isOpen, onClose }: DecisionProps) {
  return (
    <AlertDialog
      isOpen={isOpen}
      onClose={onClose}
      isBusy={isBusy}
      title={`Approve ${formatUsd(deposit.amountCents)}?`}
      description={`The credit is posted to ${deposit.toAccount} of ${deposit.email} at once.`}
      footer={
        <>
          <Button variant="secondary" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            isBusy={isBusy}
            busyLabel="Approving..."
            onClick={() => void onApprove().then((isDone) => isDone && onClose())}
          >
            Approve deposit
          </Button>
        </>
      }
    >
      <FormAlert>{failure}</FormAlert>
    </AlertDialog>
  );
}

function RejectDialog({ deposit, onReject, isBusy, failure, isOpen, onClose }: DecisionProps) {
  const [reason, setReason] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const close = () => {
    setReason("");
    setIsMissing(false);
    onClose();
  };
  const confirm = async () => {
    setIsMissing(reason.trim() === "");
    if (reason.trim() !== "" && (await onReject(reason.trim()))) close();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      isBusy={isBusy}
      title="Reject deposit"
      description={`${formatUsd(deposit.amountCents)} of ${deposit.email}. No money moves.`}
      footer={
        <>
          <Button variant="secondary" disabled={isBusy} onClick={close}>
            Cancel
          </Button>
          <Button
            variant="danger"
            isBusy={isBusy}
            busyLabel="Rejecting..."
            onClick={() => void confirm()}
          >
            Reject deposit
          </Button>
        </>
      }
    >
      <div className="grid gap-4 pt-1">
        <FormAlert>{failure}</FormAlert>
        <Textarea
          label="Reason"
          hint="The member sees this reason."
          error={isMissing ? MESSAGES.REASON_REQUIRED : undefined}
          rows={3}
          required
          maxLength={SHORT_TEXT_LENGTH_MAX}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setIsMissing(false);
          }}
        />
      </div>
    </Dialog>
  );
}
