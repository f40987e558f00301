import { useId } from "react";
import { MESSAGES } from "#shared/errors";
import { formatUsd } from "#shared/money";
import { APPROVAL_RULES } from "#shared/rules/registration";
import { firstRefusal } from "#shared/rules/rule";
import type { VerificationCheck } from "#shared/validators";
import { Dialog } from "../../components/ui/Dialog";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import { Notice } from "../../components/ui/StatusBanner";
import type { ActState } from "../../hooks/useActs";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import { ReviewButtons, WritingFooter } from "./DecisionFooter";
import { InfoRequestNote } from "./InfoRequestNote";
import type { UserDetailData } from "./userDetailData";
import { isOffered, NO_OFFERS, offersTo, useDecision, type Mode } from "./useDecision";
import { VerificationChecklist } from "./VerificationChecklist";
import { VerificationFacts } from "./VerificationFacts";

export interface VerificationActions extends ActState {
  /** Each resolves to true if it was done; a refusal is in `failure`. */
  readonly onSetCheck: (check: VerificationCheck, isChecked: boolean) => Promise<boolean>;
  readonly onApprove: () => Promise<boolean>;
  readonly onReject: (reason: string) => Promise<boolean>;
  readonly onReopen: (reason: string) => Promise<boolean>;
  readonly onRequestInformation: (text: string) => Promise<boolean>;
}

export interface VerificationDialogProps extends VerificationActions {
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
  const offers = isDecidedElsewhere ? NO_OFFERS : offersTo(user);
  const offersThen = offersTo({ ...user, status: props.seenStatus });
  const shown = isOffered(mode, offersThen) ? mode : "review";
  const ticked = user.verificationChecks.map(({ check }) => check);
  const isComplete = firstRefusal(APPROVAL_RULES, { ticked }, undefined) === null;
  const id = useId();
  const idOf = (opened: Mode) => `${id}-${opened}`;
  // Back at the button that led to the writing; while something is written, none of them is there.
  useFocusHandover(shown, (before) => document.getElementById(idOf(before)));

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
            idOf={idOf}
            isBusy={isBusy}
            onMode={setMode}
            onApprove={() => void approve()}
          />
        ) : (
          <WritingFooter
            mode={shown}
            isMember={offersThen.reject && !offersThen.approve}
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
        <RefusalAlert id={`${id}-alert`} message={failure ?? undefined} />
        {failure === null && <StandingNote user={user} />}
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

function balancesOf({ accounts }: UserDetailData): string {
  return accounts.map(({ type, balanceCents }) => `${type} ${formatUsd(balanceCents)}`).join(", ");
}

/** Why some of the actions are not offered to somebody about whom a decision was made earlier. */
function StandingNote({ user }: { user: UserDetailData }) {
  const { approve, reject, reopen } = offersTo(user);
  if (approve && reject) return null;
  return (
    <Notice tone="info">
      {reject &&
        `This person is a member already. A rejection takes that back: the membership ends. The accounts keep their money: ${balancesOf(user)}.`}
      {reopen &&
        "This application was rejected. Reopen it for another review, or approve it: that takes the rejection back."}
      {!reject && !reopen && "This membership was ended. An approval takes that back."}
    </Notice>
  );
}
