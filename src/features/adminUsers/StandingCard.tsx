import { useRef, useState, type RefObject } from "react";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { CopyButton } from "../../components/ui/CopyButton";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { AlertDialog } from "../../components/ui/Dialog";
import { ReasonDialog } from "../../components/ui/ReasonDialog";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { formatDateTime } from "../../lib/format";

/** A one-time password, and whether a second administrator has to approve it first. */
export type IssuedPassword = { readonly password: string; readonly isAsked: boolean };

export interface StandingCardProps {
  role: string;
  /** Set while sign-in is disabled. */
  disabledAt: number | undefined;
  transferCount: number;
  /** True for people who were accepted: only they can be made administrators. */
  canChangeRole: boolean;
  onSetRole: (role: "user" | "admin") => Promise<boolean>;
  onSetDisabled: (isDisabled: boolean, reason: string) => Promise<boolean>;
  onResetPassword: (reason: string) => Promise<boolean>;
  /** Shown once, until the administrator closes it. */
  issued: IssuedPassword | null;
  onPasswordTold: () => void;
  isBusy: boolean;
  failure: string | null;
  clearFailure: () => void;
  done: string | null;
}

/** Role, password, sign-in and transfer count of one person. */
export function StandingCard(props: StandingCardProps) {
  const { role, disabledAt, transferCount, canChangeRole, done } = props;
  const [open, setOpen] = useState<"role" | "password" | "signIn" | null>(null);
  const resetButton = useRef<HTMLButtonElement>(null);
  const isAdmin = role === "admin";
  const isDisabled = disabledAt !== undefined;
  const close = () => {
    props.clearFailure();
    setOpen(null);
  };
  return (
    <Card title="Role and sign-in">
      <div className="grid gap-3">
        <StatusBanner>{done}</StatusBanner>
        <DefinitionList
          items={[
            {
              term: "Role",
              value: isAdmin ? "Administrator" : role === "pending" ? "Pending" : "Member",
            },
            {
              term: "Sign-in",
              value: isDisabled ? `Disabled since ${formatDateTime(disabledAt)}` : "Enabled",
            },
            { term: "Transfer count", value: transferCount },
          ]}
        />
        <div className="flex flex-wrap gap-2">
          {canChangeRole && (
            <Button variant="secondary" size="sm" onClick={() => setOpen("role")}>
              {isAdmin ? "Make member" : "Make administrator"}
            </Button>
          )}
          <Button
            ref={resetButton}
            variant="secondary"
            size="sm"
            onClick={() => setOpen("password")}
          >
            Reset password
          </Button>
          <Button
            variant={isDisabled ? "secondary" : "dangerGhost"}
            size="sm"
            onClick={() => setOpen("signIn")}
          >
            {isDisabled ? "Enable sign-in" : "Disable sign-in"}
          </Button>
        </div>
      </div>
      <RoleDialog {...props} isOpen={open === "role"} onClose={close} />
      <PasswordDialog {...props} isOpen={open === "password"} onClose={close} />
      <IssuedPasswordDialog {...props} opener={resetButton} />
      <SignInDialog {...props} isOpen={open === "signIn"} onClose={close} />
    </Card>
  );
}

type OpenProps = StandingCardProps & { isOpen: boolean; onClose: () => void };

function RoleDialog({ role, onSetRole, isBusy, failure, isOpen, onClose }: OpenProps) {
  const isAdmin = role === "admin";
  const verb = isAdmin ? "Make member" : "Make administrator";
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => onSetRole(isAdmin ? "user" : "admin")}
      title={`${verb}?`}
      description={
        isAdmin
          ? "This person loses every power of the back office at once."
          : "This person gets every power of the back office, over money too."
      }
      confirmLabel={verb}
      isBusy={isBusy}
      failure={failure}
    />
  );
}

function PasswordDialog({ onResetPassword, isBusy, failure, isOpen, onClose }: OpenProps) {
  return (
    <ReasonDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={onResetPassword}
      title="Reset password"
      description="The person gets a one-time password from you, signs in with it and chooses their own. Their sessions end, and an e-mail tells them."
      hint="How you know who asked. Kept in the audit log."
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
          ? "It holds once a second administrator has approved the request. It is shown only now."
          : "Tell it to the person yourself, not by e-mail. It is shown only now."
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

function SignInDialog({ disabledAt, onSetDisabled, isBusy, failure, isOpen, onClose }: OpenProps) {
  const isDisabled = disabledAt !== undefined;
  const verb = isDisabled ? "Enable sign-in" : "Disable sign-in";
  return (
    <ReasonDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={(reason) => onSetDisabled(!isDisabled, reason)}
      title={verb}
      description={
        isDisabled
          ? "The person can sign in again, and wrong attempts are forgotten."
          : "Every session of the person ends at once."
      }
      hint="Kept in the audit log."
      confirmLabel={verb}
      variant={isDisabled ? "primary" : "danger"}
      isBusy={isBusy}
      failure={failure}
    />
  );
}
