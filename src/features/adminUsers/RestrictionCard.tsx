import { useState } from "react";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { MESSAGES } from "#shared/errors";
import { SHORT_TEXT_LENGTH_MAX } from "#shared/limits";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { AlertDialog, Dialog } from "../../components/ui/Dialog";
import { FormAlert } from "../../components/ui/FormAlert";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { Textarea, TextInput } from "../../components/ui/TextInput";
import { formatDateTime } from "../../lib/format";

export interface Restriction {
  readonly reason: string;
  readonly setBy: string;
  readonly setAt: number;
  readonly expiresAt?: number;
}

export interface RestrictionCardProps {
  restriction: Restriction | null;
  /** `expiryDate` is an ISO date, or "" for none. Resolves to true when it is in force. */
  onSet: (reason: string, expiryDate: string) => Promise<boolean>;
  onLift: () => Promise<boolean>;
  /** Earliest expiry date offered. */
  tomorrowIso: string;
  isBusy: boolean;
  failure: string | null;
  clearFailure: () => void;
  done: string | null;
}

/** Whether external and international transfers of a member are suspended, and the switch for it. */
export function RestrictionCard(props: RestrictionCardProps) {
  const { restriction, onLift, isBusy, failure, done } = props;
  const [open, setOpen] = useState<"set" | "lift" | null>(null);
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
          Suspends external and international transfers. Transfers between own accounts and to
          members stay possible.
        </p>
        <StatusBanner>{done}</StatusBanner>
        {restriction === null ? (
          <p className="text-muted">No restriction is in force.</p>
        ) : (
          <RestrictionText restriction={restriction} />
        )}
      </div>
      <SetDialog {...props} isOpen={open === "set"} onClose={close} />
      <AlertDialog
        isOpen={open === "lift"}
        onClose={close}
        isBusy={isBusy}
        title="Lift this restriction?"
        description="External and international transfers become possible at once."
        footer={
          <>
            <Button variant="secondary" disabled={isBusy} onClick={close}>
              Cancel
            </Button>
            <Button
              isBusy={isBusy}
              onClick={() => void onLift().then((isLifted) => isLifted && close())}
            >
              Lift restriction
            </Button>
          </>
        }
      >
        <FormAlert>{failure}</FormAlert>
      </AlertDialog>
    </Card>
  );
}

function RestrictionText({ restriction }: { restriction: Restriction }) {
  const { reason, setBy, setAt, expiresAt } = restriction;
  return (
    <div className="rounded-control bg-warn-soft px-3.5 py-2.5">
      <p className="font-semibold whitespace-pre-line text-warn">{reason}</p>
      <p className="num mt-1 text-sm text-warn">
        Set by {setBy} on {formatDateTime(setAt)},{" "}
        {expiresAt === undefined ? "without an end" : `until ${formatDateTime(expiresAt)}`}
      </p>
    </div>
  );
}

function SetDialog({
  isOpen,
  onClose,
  onSet,
  tomorrowIso,
  isBusy,
  failure,
}: RestrictionCardProps & { isOpen: boolean; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const [expiryDate, setExpiryDate] = useState("");
  const [isReasonMissing, setIsReasonMissing] = useState(false);
  const close = () => {
    setReason("");
    setExpiryDate("");
    setIsReasonMissing(false);
    onClose();
  };
  const confirm = async () => {
    const isMissing = reason.trim() === "";
    setIsReasonMissing(isMissing);
    if (!isMissing && (await onSet(reason.trim(), expiryDate))) close();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      isBusy={isBusy}
      title="Restrict transfers"
      footer={
        <>
          <Button variant="secondary" disabled={isBusy} onClick={close}>
            Cancel
          </Button>
          <Button variant="danger" isBusy={isBusy} onClick={() => void confirm()}>
            Restrict transfers
          </Button>
        </>
      }
    >
      <div className="grid gap-4 pt-1">
        <FormAlert>{failure}</FormAlert>
        <Textarea
          label="Reason"
          hint="For the back office and the audit log."
          error={isReasonMissing ? MESSAGES.REASON_REQUIRED : undefined}
          rows={3}
          required
          maxLength={SHORT_TEXT_LENGTH_MAX}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setIsReasonMissing(false);
          }}
        />
        <TextInput
          label="Ends on"
          isOptional
          type="date"
          min={tomorrowIso}
          hint="At the beginning of this day. Empty: until it is lifted."
          value={expiryDate}
          onChange={(event) => setExpiryDate(event.target.value)}
        />
      </div>
    </Dialog>
  );
}
