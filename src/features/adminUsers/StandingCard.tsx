import { useRef, useState, type RefObject } from "react";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { CopyButton } from "../../components/ui/CopyButton";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { AlertDialog } from "../../components/ui/Dialog";
import { FormAlert } from "../../components/ui/FormAlert";
import { StatusBanner } from "../../components/ui/StatusBanner";
import type { Acts } from "../../hooks/useActs";
import { formatDateTime, inOnePiece } from "../../lib/format";
import { StandingDialog, type Question, type StandingQuestions } from "./StandingDialog";

/** A one-time password, and whether a second administrator has to approve it first. */
export type IssuedPassword = { readonly password: string; readonly isAsked: boolean };

export interface StandingCardProps extends Acts, StandingQuestions {
  transferCount: number;
  /** False for the protected account, which has no limit. */
  canResetCount: boolean;
  /** True for people who have been accepted: only they can be made administrators. */
  canChangeRole: boolean;
  onResetCount: () => void;
  /** Shown once, until the administrator closes it. */
  issued: IssuedPassword | null;
  onPasswordTold: () => void;
}

/** Role, password, sign-in and transfer count of one person. */
export function StandingCard(props: StandingCardProps) {
  const { role, transferCount, canResetCount, done } = props;
  const [question, setQuestion] = useState<Question | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const resetButton = useRef<HTMLButtonElement>(null);
  const ask = (next: Question) => {
    setQuestion(next);
    setIsOpen(true);
  };
  const close = () => {
    props.clearFailure();
    setIsOpen(false);
  };
  return (
    <Card title="Role and sign-in">
      <div className="grid gap-3">
        <StatusBanner>{done}</StatusBanner>
        <FormAlert>{isOpen ? null : props.failure}</FormAlert>
        <DefinitionList
          items={[
            {
              term: "Role",
              value: role === "admin" ? "Administrator" : role === "pending" ? "Pending" : "Member",
            },
            {
              term: "Sign-in",
              value: signInState(props),
            },
            {
              term: "Transfer count",
              value: transferCount,
              // The page of all counts lists no administrators, and among thousands nobody is found there.
              action: canResetCount ? <ResetCountButton {...props} /> : undefined,
            },
          ]}
        />
        <QuestionButtons {...props} onAsk={ask} resetButton={resetButton} />
      </div>
      {question !== null && (
        <StandingDialog {...props} question={question} isOpen={isOpen} onClose={close} />
      )}
      <IssuedPasswordDialog {...props} opener={resetButton} />
    </Card>
  );
}

/** What can be asked now. */
function QuestionButtons({
  role,
  lock,
  disabledAt,
  canChangeRole,
  onAsk,
  resetButton,
}: StandingCardProps & {
  onAsk: (question: Question) => void;
  resetButton: RefObject<HTMLButtonElement | null>;
}) {
  const isAdmin = role === "admin";
  const isDisabled = disabledAt !== undefined;
  return (
    <div className="flex flex-wrap gap-2 max-sm:*:flex-auto">
      {canChangeRole && (
        <Button
          variant="secondary"
          size="sm"
          onClick={() => onAsk({ about: "role", next: isAdmin ? "user" : "admin" })}
        >
          {isAdmin ? "Make member" : "Make administrator"}
        </Button>
      )}
      <Button
        ref={resetButton}
        variant="secondary"
        size="sm"
        onClick={() => onAsk({ about: "password" })}
      >
        Reset password
      </Button>
      {lock !== null && (
        <Button variant="secondary" size="sm" onClick={() => onAsk({ about: "unlock" })}>
          Unlock sign-in
        </Button>
      )}
      <Button
        variant={isDisabled ? "secondary" : "dangerGhost"}
        size="sm"
        onClick={() => onAsk({ about: "signIn", isDisabling: !isDisabled })}
      >
        {isDisabled ? "Enable sign-in" : "Disable sign-in"}
      </Button>
    </div>
  );
}

function signInState({ disabledAt, lock }: StandingCardProps): string {
  if (disabledAt !== undefined) return `Disabled since ${inOnePiece(formatDateTime(disabledAt))}`;
  if (lock === null) return "Enabled";
  return `Locked until ${inOnePiece(formatDateTime(lock.untilMs))} after too many ${lock.by}`;
}

function ResetCountButton({ isBusy, onResetCount }: StandingCardProps) {
  return (
    // The list's margin is for actions without a border.
    <Button
      variant="secondary"
      size="sm"
      disabled={isBusy}
      onClick={onResetCount}
      className="mr-1.5"
    >
      Reset transfer count
    </Button>
  );
}

function IssuedPasswordDialog({
  issued,
  onPasswordTold,
  opener,
}: Pick<StandingCardProps, "issued" | "onPasswordTold"> & {
  opener: RefObject<HTMLElement | null>;
}) {
  return (
    <AlertDialog
      isOpen={issued !== null}
      onClose={onPasswordTold}
      finalFocus={opener}
      title="One-time password"
      description={
        issued?.isAsked === true
          ? "It takes effect once a second administrator has approved the request. It is only shown now."
          : "Give it to the person yourself, not by email. It is only shown now."
      }
      footer={<Button onClick={onPasswordTold}>Done</Button>}
    >
      {issued !== null && (
        <p className="flex items-center justify-between gap-3 rounded-control bg-sunken px-4 py-3">
          <span className="num text-lg break-all">{issued.password}</span>
          <CopyButton value={issued.password} what="one-time password" />
        </p>
      )}
    </AlertDialog>
  );
}
