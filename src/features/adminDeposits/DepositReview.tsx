import { useState } from "react";
import { Check, X } from "lucide-react";
import type { FunctionReturnType } from "convex/server";
import type { api } from "#api";
import { MESSAGES } from "#shared/errors";
import { formatUsd } from "#shared/money";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { FormAlert } from "../../components/ui/FormAlert";
import { ReasonDialog } from "../../components/ui/ReasonDialog";
import type { ActState } from "../../hooks/useActs";
import { formatDateTime, inOnePiece } from "../../lib/format";
import { CheckImage } from "./CheckImage";
import type { DepositImageState } from "./useDepositImage";

export type QueuedDeposit = FunctionReturnType<typeof api.admin.deposits.queue>["page"][number];

type Question = "approve" | "reject";

interface DepositReviewProps extends ActState {
  deposit: QueuedDeposit;
  /** Another administrator decided first. */
  isDecidedElsewhere: boolean;
  /** Closes the review. */
  onLeave: () => void;
  front: DepositImageState;
  back: DepositImageState;
  /** Each resolves to true if it was done. */
  onApprove: () => Promise<boolean>;
  onReject: (reason: string) => Promise<boolean>;
}

/** One deposit with both sides of the check, and the decision while it waits. */
export function DepositReview(props: DepositReviewProps) {
  const { deposit, isDecidedElsewhere, front, back, isBusy } = props;
  const failure = isDecidedElsewhere ? MESSAGES.DEPOSIT_ALREADY_REVIEWED : props.failure;
  const [asked, setAsked] = useState<Question | null>(null);
  const close = () => {
    props.clearFailure();
    setAsked(null);
    if (isDecidedElsewhere) props.onLeave();
  };
  return (
    <Card
      title={`${formatUsd(deposit.amountCents)} to ${deposit.toAccount}`}
      lead={
        // Digits after a name in Arabic or Hebrew would otherwise move to its other side, out of the address.
        <>
          <bdi>{deposit.name}</bdi>, {deposit.email}
        </>
      }
      actions={<Badge hasDot>{deposit.status}</Badge>}
    >
      <div className="grid grid-cols-1 gap-5">
        <FormAlert>{isDecidedElsewhere && asked === null && failure}</FormAlert>
        <PictureFindings {...deposit} />
        <div className="grid gap-4 sm:grid-cols-2">
          <CheckImage side="Front of check" image={front} />
          <CheckImage side="Back of check" image={back} />
        </div>
        <DefinitionList items={factsOf(deposit)} />
        {deposit.status === "Pending Review" && !isDecidedElsewhere && (
          <DecisionButtons photos={[front, back]} onAsk={setAsked} />
        )}
      </div>
      <ConfirmDialog
        isOpen={asked === "approve"}
        onClose={close}
        onConfirm={props.onApprove}
        title={`Approve ${formatUsd(deposit.amountCents)}?`}
        description={`The credit is posted to ${deposit.toAccount} of ${deposit.email} at once.`}
        confirmLabel="Approve deposit"
        busyLabel="Approving..."
        variant="primary"
        isBusy={isBusy}
        failure={failure}
      />
      <ReasonDialog
        draftKey={`deposit-rejection-${deposit._id}`}
        isOpen={asked === "reject"}
        onClose={close}
        onConfirm={props.onReject}
        title="Reject deposit"
        description={`${formatUsd(deposit.amountCents)} of ${deposit.email}. No money moves.`}
        hint="The member sees this reason."
        confirmLabel="Reject deposit"
        busyLabel="Rejecting..."
        isBusy={isBusy}
        failure={failure}
      />
    </Card>
  );
}

function DecisionButtons({
  photos,
  onAsk,
}: {
  photos: readonly DepositImageState[];
  onAsk: (question: Question) => void;
}) {
  return (
    <div className="flex flex-wrap justify-end gap-2 max-sm:[&>*]:flex-auto">
      {photos.some(({ kind }) => kind === "failed") && (
        <p className="w-full text-right text-sm text-muted">
          A check can be approved once both photos are loaded.
        </p>
      )}
      <Button variant="dangerGhost" onClick={() => onAsk("reject")}>
        <X aria-hidden className="size-4" />
        Reject deposit
      </Button>
      <Button
        // Nobody vouches for a check unseen.
        disabled={photos.some(({ kind }) => kind !== "ready")}
        onClick={() => onAsk("approve")}
      >
        <Check aria-hidden className="size-4" />
        Approve deposit
      </Button>
    </div>
  );
}

/** What speaks against a check before anyone has looked at it. */
function PictureFindings({
  isOnePicture,
  otherDepositAt,
}: Pick<QueuedDeposit, "isOnePicture" | "otherDepositAt">) {
  return (
    <>
      <FormAlert>{isOnePicture && "Front and back are the same picture."}</FormAlert>
      <FormAlert>
        {otherDepositAt !== undefined &&
          `A picture of this check is in another deposit too, of ${inOnePiece(formatDateTime(otherDepositAt))}.`}
      </FormAlert>
    </>
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
