import { useId, useState } from "react";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { ReasonDialog } from "../../components/ui/ReasonDialog";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { TextInput } from "../../components/ui/TextInput";
import type { Acts } from "../../hooks/useActs";
import { useDraft } from "../../hooks/useDraft";
import { formatDateTime, inOnePiece } from "../../lib/format";
import { typedDate } from "../../lib/formText";

interface Restriction {
  readonly reason: string;
  readonly setBy: string;
  readonly setAt: number;
  readonly expiresAt?: number;
}

export interface RestrictionCardProps extends Acts {
  userId: string;
  restriction: Restriction | null;
  /** `expiryDate` is an ISO date, "" for none, or no date if it is half typed. Resolves to true once it is in force. */
  onSet: (reason: string, expiryDate: string) => Promise<boolean>;
  onLift: () => Promise<boolean>;
  /** Earliest expiry date offered. */
  tomorrowIso: string;
}

/** Whether a member's external and international transfers are suspended, and the switch for it. */
export function RestrictionCard(props: RestrictionCardProps) {
  const { restriction, onLift, isBusy, failure, done } = props;
  const [open, setOpen] = useState<"set" | "lift" | null>(null);
  const isLiftedElsewhere = open === "lift" && !isBusy && restriction === null;
  const close = () => {
    props.clearFailure();
    setOpen(null);
  };
  return (
    <Card
      title="Transfer restriction"
      actions={
        restriction === null ? (
          <Button variant="secondary" size="sm" onClick={() => setOpen("set")}>
            <ShieldAlert aria-hidden className="size-4" />
            Restrict transfers
          </Button>
        ) : (
          <Button variant="secondary" size="sm" onClick={() => setOpen("lift")}>
            <ShieldCheck aria-hidden className="size-4" />
            Lift restriction
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        <p className="text-sm text-muted">
          Suspends external and international transfers. Transfers between the member's own accounts
          and to other members remain possible.
        </p>
        <StatusBanner>{done}</StatusBanner>
        {restriction === null ? (
          <p className="text-muted">No restriction is in force.</p>
        ) : (
          <RestrictionText restriction={restriction} />
        )}
      </div>
      <SetDialog {...props} isOpen={open === "set"} onClose={close} />
      <ConfirmDialog
        isOpen={open === "lift"}
        onClose={close}
        onConfirm={onLift}
        title="Lift this restriction?"
        description="External and international transfers become possible at once."
        confirmLabel="Lift restriction"
        variant="primary"
        isBusy={isBusy}
        failure={
          failure ?? (isLiftedElsewhere ? "The restriction has been lifted in the meantime." : null)
        }
      />
    </Card>
  );
}

function RestrictionText({ restriction }: { restriction: Restriction }) {
  const { reason, setBy, setAt, expiresAt } = restriction;
  return (
    <div className="rounded-control bg-warn-soft px-3.5 py-2.5">
      <p className="font-semibold wrap-anywhere whitespace-pre-line text-warn">{reason}</p>
      <p className="num mt-1 text-sm text-warn">
        Set by {setBy} on {inOnePiece(formatDateTime(setAt))},{" "}
        {expiresAt === undefined
          ? "with no end date"
          : `until ${inOnePiece(formatDateTime(expiresAt))}`}
      </p>
    </div>
  );
}

const NO_END = { expiryDate: "" };

function SetDialog({
  userId,
  restriction,
  isOpen,
  onClose,
  onSet,
  tomorrowIso,
  isBusy,
  failure,
}: RestrictionCardProps & { isOpen: boolean; onClose: () => void }) {
  const [{ expiryDate }, setEnd, forgetEnd] = useDraft(`restriction-end-${userId}`, NO_END);
  const endId = useId();
  const isSetElsewhere = isOpen && !isBusy && restriction !== null;
  return (
    <ReasonDialog
      draftKey={`restriction-${userId}`}
      isOpen={isOpen}
      onClose={onClose}
      onForget={forgetEnd}
      onConfirm={(reason) => onSet(reason, typedDate(endId, expiryDate))}
      title="Restrict transfers"
      hint="For the back office and the audit log."
      confirmLabel="Restrict transfers"
      isBusy={isBusy}
      failure={
        failure ??
        (isSetElsewhere
          ? "A restriction has been set in the meantime. This one would replace it."
          : null)
      }
    >
      <TextInput
        id={endId}
        label="Ends on"
        isOptional
        type="date"
        min={tomorrowIso}
        hint="Ends at the start of this day. Leave empty to keep it until it is lifted."
        value={expiryDate}
        onChange={(event) => setEnd({ expiryDate: event.target.value })}
      />
    </ReasonDialog>
  );
}
