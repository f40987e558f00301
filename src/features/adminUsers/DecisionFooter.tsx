import { useRef } from "react";
import { MESSAGES } from "#shared/errors";
import { Button } from "../../components/ui/Button";
import { Textarea } from "../../components/ui/TextInput";
import type { Mode, Offers } from "./useDecision";

/** A rejection of a member. Spec section 2 names the button that leads here, "Reject". */
const ENDING = {
  hint: "The member is told that the membership has ended, and why.",
  confirm: "End membership",
};

const WRITING = {
  rejecting: {
    label: "Reason for rejection",
    hint: "The applicant sees this reason.",
    missing: MESSAGES.REASON_REQUIRED,
    confirm: "Reject application",
    variant: "danger",
  },
  requesting: {
    label: "Information needed",
    hint: "The applicant sees this text and can answer it.",
    missing: MESSAGES.FILL_REQUIRED_FIELDS,
    confirm: "Send request",
    variant: "primary",
  },
  reopening: {
    label: "Reason for looking again",
    hint: "Kept in the audit log. The person is told that it is looked at again.",
    missing: MESSAGES.REASON_REQUIRED,
    confirm: "Reopen application",
    variant: "primary",
  },
} as const;

/** The decisions, while nothing is being written. */
export function ReviewButtons({
  offers,
  idOf,
  isBusy,
  onMode,
  onApprove,
}: {
  offers: Offers;
  /** The buttons that lead to writing. */
  idOf: (opened: Mode) => string;
  isBusy: boolean;
  onMode: (mode: Mode) => void;
  onApprove: () => void;
}) {
  return (
    <div className="grid w-full grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:justify-end">
      <Button
        id={idOf("rejecting")}
        variant="dangerGhost"
        disabled={isBusy || !offers.reject}
        onClick={() => onMode("rejecting")}
      >
        Reject
      </Button>
      <Button
        id={idOf("requesting")}
        variant="secondary"
        className="max-sm:order-first max-sm:col-span-2"
        disabled={isBusy || !offers.request}
        onClick={() => onMode("requesting")}
      >
        Request more information
      </Button>
      {offers.reopen && (
        <Button
          id={idOf("reopening")}
          variant="secondary"
          className="max-sm:order-first max-sm:col-span-2"
          disabled={isBusy}
          onClick={() => onMode("reopening")}
        >
          Reopen application
        </Button>
      )}
      <Button isBusy={isBusy} disabled={!offers.approve} onClick={onApprove}>
        Approve
      </Button>
    </div>
  );
}

/** The field for what the chosen decision has to say. */
export function WritingFooter({
  mode,
  isMember,
  text,
  isTextMissing,
  isBusy,
  onTextChange,
  onBack,
  onConfirm,
}: {
  mode: keyof typeof WRITING;
  /** A rejection ends a membership. */
  isMember: boolean;
  text: string;
  isTextMissing: boolean;
  isBusy: boolean;
  onTextChange: (text: string) => void;
  onBack: () => void;
  onConfirm: () => void;
}) {
  const { label, missing, variant } = WRITING[mode];
  const { hint, confirm } = isMember ? ENDING : WRITING[mode];
  const field = useRef<HTMLTextAreaElement>(null);
  const onPress = () => {
    if (text.trim() === "") field.current?.focus();
    onConfirm();
  };
  return (
    <div className="grid w-full gap-3">
      <Textarea
        ref={field}
        autoFocus
        label={label}
        hint={hint}
        error={isTextMissing ? missing : undefined}
        rows={3}
        required
        value={text}
        onChange={(event) => onTextChange(event.target.value)}
      />
      <div className="flex flex-wrap justify-end gap-2 max-sm:[&>*]:flex-1">
        <Button variant="secondary" disabled={isBusy} onClick={onBack}>
          Back
        </Button>
        <Button variant={variant} isBusy={isBusy} onClick={onPress}>
          {confirm}
        </Button>
      </div>
    </div>
  );
}
