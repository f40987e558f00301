import { useRef, useState, type Ref } from "react";
import { MESSAGES } from "#shared/errors";
import { isAccepted } from "#shared/roles";
import { APPROVAL_RULES } from "#shared/rules/registration";
import { firstRefusal } from "#shared/rules/rule";
import type { VerificationCheck } from "#shared/validators";
import { Button } from "../../components/ui/Button";
import { Dialog } from "../../components/ui/Dialog";
import { FormAlert } from "../../components/ui/FormAlert";
import { Notice } from "../../components/ui/StatusBanner";
import { Textarea } from "../../components/ui/TextInput";
import { useDraft } from "../../hooks/useDraft";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import { InfoRequestNote } from "./InfoRequestNote";
import type { UserDetailData } from "./userDetailData";
import { VerificationChecklist } from "./VerificationChecklist";
import { VerificationFacts } from "./VerificationFacts";

export interface VerificationActions {
  /** Each resolves to true if it was done; a refusal is in `failure`. */
  readonly onSetCheck: (check: VerificationCheck, isChecked: boolean) => Promise<boolean>;
  readonly onApprove: () => Promise<boolean>;
  readonly onReject: (reason: string) => Promise<boolean>;
  readonly onRequestInformation: (text: string) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly failure: string | null;
  readonly clearFailure: () => void;
}

/** What the footer shows: the three actions, or a field for a reason or for a request. */
type Mode = "review" | "rejecting" | "requesting";

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
} as const;

interface VerificationDialogProps extends VerificationActions {
  isOpen: boolean;
  onClose: () => void;
  user: UserDetailData;
  /** The status when the dialog opened: if it differs now, someone else has decided. */
  seenStatus: UserDetailData["status"];
}

/** "User Verification": application data beside the ten checks, and the decision. */
export function VerificationDialog(props: VerificationDialogProps) {
  const { isOpen, user, isBusy } = props;
  const isDecidedElsewhere = user.status !== props.seenStatus && !isBusy;
  const failure = props.failure ?? (isDecidedElsewhere ? MESSAGES.ALREADY_DECIDED : null);
  const { mode, setMode, text, onTextChange, isTextMissing, back, hide, write, approve } =
    useDecision(props);
  const offers = isDecidedElsewhere ? NO_OFFERS : offersTo(user.status);
  const shown = isOffered(mode, offersTo(props.seenStatus)) ? mode : "review";
  const ticked = user.verificationChecks.map(({ check }) => check);
  const isComplete = firstRefusal(APPROVAL_RULES, { ticked }, undefined) === null;
  const rejectButton = useRef<HTMLButtonElement>(null);
  const requestButton = useRef<HTMLButtonElement>(null);
  // Back at the button that led to the writing; while something is written, neither is there.
  useFocusHandover(shown, (before) =>
    before === "rejecting" ? rejectButton.current : requestButton.current,
  );

  return (
    <Dialog
      isOpen={isOpen}
      onClose={hide}
      isBusy={isBusy}
      title="User Verification"
      description={
        // Digits after a name in Arabic or Hebrew would otherwise move to its other side, out of the address.
        <>
          <bdi>{user.name}</bdi>, {user.email}
        </>
      }
      size="lg"
      footer={
        shown === "review" ? (
          <ReviewButtons
            offers={{ ...offers, approve: offers.approve && isComplete }}
            rejectButton={rejectButton}
            requestButton={requestButton}
            isBusy={isBusy}
            onMode={setMode}
            onApprove={() => void approve()}
          />
        ) : (
          <WritingFooter
            mode={shown}
            text={text}
            isTextMissing={isTextMissing}
            isBusy={isBusy}
            onTextChange={onTextChange}
            onBack={back}
            onConfirm={() => void write()}
          />
        )
      }
    >
      <div className="grid grid-cols-1 gap-5 pt-1">
        <FormAlert>{failure}</FormAlert>
        {failure === null && <StandingNote status={user.status} />}
        <div className="grid grid-cols-1 gap-6 md:grid-cols-2">
          {/* An answer comes while checks are being ticked, and must not move them. */}
          <div className="grid grid-cols-1 content-start gap-5">
            <InfoRequestNote user={user} />
            <VerificationFacts user={user} />
          </div>
          <VerificationChecklist checks={user.verificationChecks} onSetCheck={props.onSetCheck} />
        </div>
      </div>
    </Dialog>
  );
}

/** Which of the three actions the server would not refuse for a person's status. */
interface Offers {
  readonly approve: boolean;
  readonly reject: boolean;
  readonly request: boolean;
}
const NO_OFFERS: Offers = { approve: false, reject: false, request: false };

function offersTo(status: UserDetailData["status"]): Offers {
  const isMember = isAccepted({ status });
  const isRejected = status === "rejected";
  return { approve: !isMember, reject: !isRejected, request: !isMember && !isRejected };
}

/** A text that was kept may be for an action that is no longer possible. */
const isOffered = (mode: Mode, offers: Offers): boolean =>
  mode === "review" || (mode === "rejecting" ? offers.reject : offers.request);

/** Why some of the actions are not offered to somebody about whom a decision was made earlier. */
function StandingNote({ status }: { status: UserDetailData["status"] }) {
  const { approve, reject } = offersTo(status);
  if (approve && reject) return null;
  return (
    <Notice tone="info">
      {reject
        ? "This person is a member already. A rejection takes that back."
        : "This application was rejected. An approval takes that back."}
    </Notice>
  );
}

const NO_DECISION: { readonly mode: Mode; readonly text: string } = { mode: "review", text: "" };

/** What is being decided and written. It survives a time-out and Escape; Back discards it. */
function useDecision(props: VerificationDialogProps) {
  const [draft, setDraft, forget] = useDraft(`decision-${props.user._id}`, NO_DECISION);
  const { mode, text } = draft;
  const [isTextMissing, setIsTextMissing] = useState(false);

  const back = () => {
    forget();
    setIsTextMissing(false);
    props.clearFailure();
  };
  const close = () => {
    back();
    props.onClose();
  };
  const hide = () => {
    if (text.trim() === "") back();
    setIsTextMissing(false);
    props.clearFailure();
    props.onClose();
  };
  const write = async () => {
    if (text.trim() === "") {
      setIsTextMissing(true);
      return;
    }
    const isRejection = mode === "rejecting";
    const act = isRejection ? props.onReject : props.onRequestInformation;
    if (!(await act(text.trim()))) return;
    if (isRejection) close();
    else back();
  };
  const approve = async () => {
    if (await props.onApprove()) close();
  };
  const onTextChange = (next: string) => {
    setDraft({ mode, text: next });
    setIsTextMissing(false);
  };
  // A text that was kept for what is no longer possible is not this one's.
  const setMode = (next: Mode) => setDraft({ mode: next, text: "" });
  return { mode, setMode, text, onTextChange, isTextMissing, back, hide, write, approve };
}

function ReviewButtons({
  offers,
  rejectButton,
  requestButton,
  isBusy,
  onMode,
  onApprove,
}: {
  offers: Offers;
  rejectButton: Ref<HTMLButtonElement>;
  requestButton: Ref<HTMLButtonElement>;
  isBusy: boolean;
  onMode: (mode: Mode) => void;
  onApprove: () => void;
}) {
  return (
    <div className="grid w-full grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:justify-end">
      <Button
        ref={rejectButton}
        variant="dangerGhost"
        disabled={isBusy || !offers.reject}
        onClick={() => onMode("rejecting")}
      >
        Reject
      </Button>
      <Button
        ref={requestButton}
        variant="secondary"
        className="max-sm:order-first max-sm:col-span-2"
        disabled={isBusy || !offers.request}
        onClick={() => onMode("requesting")}
      >
        Request more information
      </Button>
      <Button isBusy={isBusy} disabled={!offers.approve} onClick={onApprove}>
        Approve
      </Button>
    </div>
  );
}

function WritingFooter({
  mode,
  text,
  isTextMissing,
  isBusy,
  onTextChange,
  onBack,
  onConfirm,
}: {
  mode: keyof typeof WRITING;
  text: string;
  isTextMissing: boolean;
  isBusy: boolean;
  onTextChange: (text: string) => void;
  onBack: () => void;
  onConfirm: () => void;
}) {
  const { label, hint, missing, confirm, variant } = WRITING[mode];
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
