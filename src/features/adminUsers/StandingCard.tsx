import { useRef, useState, type RefObject } from "react";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { CopyButton } from "../../components/ui/CopyButton";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { AlertDialog } from "../../components/ui/Dialog";
import { FormAlert } from "../../components/ui/FormAlert";
import { ReasonDialog } from "../../components/ui/ReasonDialog";
import { StatusBanner } from "../../components/ui/StatusBanner";
import type { Acts } from "../../hooks/useActs";
import { formatDateTime, inOnePiece } from "../../lib/format";

/** A one-time password, and whether a second administrator has to approve it first. */
export type IssuedPassword = { readonly password: string; readonly isAsked: boolean };

/** A wait after too many wrong tries, and what was wrong with them: "wrong passwords". */
export type Lock = { readonly untilMs: number; readonly by: string };

export interface StandingCardProps extends Acts {
  userId: string;
  role: string;
  /** Set while sign-in is disabled. */
  disabledAt: number | undefined;
  /** Set while an enabled person has to wait. */
  lock: Lock | null;
  transferCount: number;
  /** False for the protected account, which has no limit. */
  canResetCount: boolean;
  /** True for people who have been accepted: only they can be made administrators. */
  canChangeRole: boolean;
  onSetRole: (role: "user" | "admin") => Promise<boolean>;
  onSetDisabled: (isDisabled: boolean, reason: string) => Promise<boolean>;
  onUnlock: (reason: string) => Promise<boolean>;
  onResetPassword: (reason: string) => Promise<boolean>;
  onResetCount: () => void;
  /** Shown once, until the administrator closes it. */
  issued: IssuedPassword | null;
  onPasswordTold: () => void;
}

/** What a question was opened for; the person's actual state may change meanwhile. */
type Change = { readonly role: "user" | "admin"; readonly isDisabled: boolean };

/** Role, password, sign-in and transfer count of one person. */
export function StandingCard(props: StandingCardProps) {
  const { role, lock, disabledAt, transferCount, canResetCount, canChangeRole, done } = props;
  const isAdmin = role === "admin";
  const isDisabled = disabledAt !== undefined;
  const opposite: Change = { role: isAdmin ? "user" : "admin", isDisabled: !isDisabled };
  const [open, setOpen] = useState<"role" | "password" | "unlock" | "signIn" | null>(null);
  const [change, setChange] = useState(opposite);
  const resetButton = useRef<HTMLButtonElement>(null);
  const ask = (question: typeof open) => {
    setChange(opposite);
    setOpen(question);
  };
  const close = () => {
    props.clearFailure();
    setOpen(null);
  };
  return (
    <Card title="Role and sign-in">
      <div className="grid gap-3">
        <StatusBanner>{done}</StatusBanner>
        <FormAlert>{open === null ? props.failure : null}</FormAlert>
        <DefinitionList
          items={[
            {
              term: "Role",
              value: isAdmin ? "Administrator" : role === "pending" ? "Pending" : "Member",
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
        <div className="flex flex-wrap gap-2 max-sm:*:flex-auto">
          {canChangeRole && (
            <Button variant="secondary" size="sm" onClick={() => ask("role")}>
              {isAdmin ? "Make member" : "Make administrator"}
            </Button>
          )}
          <Button ref={resetButton} variant="secondary" size="sm" onClick={() => ask("password")}>
            Reset password
          </Button>
          {lock !== null && (
            <Button variant="secondary" size="sm" onClick={() => ask("unlock")}>
              Unlock sign-in
            </Button>
          )}
          <Button
            variant={isDisabled ? "secondary" : "dangerGhost"}
            size="sm"
            onClick={() => ask("signIn")}
          >
            {isDisabled ? "Enable sign-in" : "Disable sign-in"}
          </Button>
        </div>
      </div>
      <RoleDialog {...props} change={change} isOpen={open === "role"} onClose={close} />
      <PasswordDialog {...props} isOpen={open === "password"} onClose={close} />
      <IssuedPasswordDialog {...props} opener={resetButton} />
      <UnlockDialog {...props} isOpen={open === "unlock"} onClose={close} />
      <SignInDialog {...props} change={change} isOpen={open === "signIn"} onClose={close} />
    </Card>
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

type OpenProps = StandingCardProps & { isOpen: boolean; onClose: () => void };

function RoleDialog({ change, ...props }: OpenProps & { change: Change }) {
  const { role, onSetRole, isBusy, failure, isOpen, onClose } = props;
  const isPromotion = change.role === "admin";
  const verb = isPromotion ? "Make administrator" : "Make member";
  const isDone = isOpen && !isBusy && role === change.role;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => onSetRole(change.role)}
      title={`${verb}?`}
      description={
        isPromotion
          ? "This person gets every power of the back office, over money too."
          : "This person loses every power of the back office at once."
      }
      confirmLabel={verb}
      isBusy={isBusy}
      failure={failure ?? (isDone ? "Someone has changed the role in the meantime." : null)}
    />
  );
}

function PasswordDialog(props: OpenProps) {
  const { userId, disabledAt, onResetPassword, isBusy, failure, isOpen, onClose } = props;
  const use =
    disabledAt === undefined
      ? "signs in with it and chooses their own"
      : "to sign in with once their sign-in is enabled again: it stays disabled";
  return (
    <ReasonDialog
      draftKey={`password-reset-${userId}`}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={onResetPassword}
      title="Reset password"
      description={`The person gets a one-time password from you, ${use}. Their sessions end, and they are told by email.`}
      hint="How you verified who asked. Kept in the audit log."
      confirmLabel="Reset password"
      variant="primary"
      isBusy={isBusy}
      failure={failure}
    />
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

function UnlockDialog(props: OpenProps) {
  const { userId, lock, onUnlock, isBusy, failure, isOpen, onClose } = props;
  const isDone = isOpen && !isBusy && lock === null;
  return (
    <ReasonDialog
      draftKey={`unlock-${userId}`}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={onUnlock}
      title="Unlock sign-in"
      description="The person can try again at once, and is told by email. Wrong tries go on counting until a right one."
      hint="How you verified who asked. Kept in the audit log."
      confirmLabel="Unlock sign-in"
      variant="primary"
      isBusy={isBusy}
      failure={failure ?? (isDone ? "The wait has ended in the meantime." : null)}
    />
  );
}

function SignInDialog({ change, ...props }: OpenProps & { change: Change }) {
  const { userId, disabledAt, onSetDisabled, isBusy, failure, isOpen, onClose } = props;
  const verb = change.isDisabled ? "Disable sign-in" : "Enable sign-in";
  const isDone = isOpen && !isBusy && (disabledAt !== undefined) === change.isDisabled;
  const doneText = `Sign-in has been ${change.isDisabled ? "disabled" : "enabled"} in the meantime.`;
  return (
    <ReasonDialog
      draftKey={`sign-in-${userId}`}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={(reason) => onSetDisabled(change.isDisabled, reason)}
      title={verb}
      description={
        change.isDisabled
          ? "All of this person's sessions end at once, and they are told by email. Money sent to them still arrives."
          : "The person can sign in again, and failed attempts are cleared."
      }
      hint="Kept in the audit log."
      confirmLabel={verb}
      variant={change.isDisabled ? "danger" : "primary"}
      isBusy={isBusy}
      failure={failure ?? (isDone ? doneText : null)}
    />
  );
}
