import { useState } from "react";
import { MESSAGES } from "#shared/errors";
import { SHORT_TEXT_LENGTH_MAX } from "#shared/limits";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { DefinitionList } from "../../components/ui/DefinitionList";
import { AlertDialog, Dialog } from "../../components/ui/Dialog";
import { FormAlert } from "../../components/ui/FormAlert";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { Textarea } from "../../components/ui/TextInput";
import { formatDateTime } from "../../lib/format";

export interface StandingCardProps {
  role: string;
  /** Set while sign-in is disabled. */
  disabledAt: number | undefined;
  transferCount: number;
  /** True for people who were accepted: only they can be made administrators. */
  canChangeRole: boolean;
  onSetRole: (role: "user" | "admin") => Promise<boolean>;
  onSetDisabled: (isDisabled: boolean, reason: string) => Promise<boolean>;
  isBusy: boolean;
  failure: string | null;
  clearFailure: () => void;
  done: string | null;
}

/** Role, sign-in and transfer count of one person. */
export function StandingCard(props: StandingCardProps) {
  const { role, disabledAt, transferCount, canChangeRole, done } = props;
  const [open, setOpen] = useState<"role" | "signIn" | null>(null);
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
            variant={isDisabled ? "secondary" : "dangerGhost"}
            size="sm"
            onClick={() => setOpen("signIn")}
          >
            {isDisabled ? "Enable sign-in" : "Disable sign-in"}
          </Button>
        </div>
      </div>
      <RoleDialog {...props} isOpen={open === "role"} onClose={close} />
      <SignInDialog {...props} isOpen={open === "signIn"} onClose={close} />
    </Card>
  );
}

type OpenProps = StandingCardProps & { isOpen: boolean; onClose: () => void };

function RoleDialog({ role, onSetRole, isBusy, failure, isOpen, onClose }: OpenProps) {
  const isAdmin = role === "admin";
  const verb = isAdmin ? "Make member" : "Make administrator";
  return (
    <AlertDialog
      isOpen={isOpen}
      onClose={onClose}
      isBusy={isBusy}
      title={`${verb}?`}
      description={
        isAdmin
          ? "This person loses every power of the back office at once."
          : "This person gets every power of the back office, over money too."
      }
      footer={
        <>
          <Button variant="secondary" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="danger"
            isBusy={isBusy}
            onClick={() =>
              void onSetRole(isAdmin ? "user" : "admin").then((isDone) => isDone && onClose())
            }
          >
            {verb}
          </Button>
        </>
      }
    >
      <FormAlert>{failure}</FormAlert>
    </AlertDialog>
  );
}

function SignInDialog({ disabledAt, onSetDisabled, isBusy, failure, isOpen, onClose }: OpenProps) {
  const [reason, setReason] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const isDisabled = disabledAt !== undefined;
  const verb = isDisabled ? "Enable sign-in" : "Disable sign-in";
  const close = () => {
    setReason("");
    setIsMissing(false);
    onClose();
  };
  const confirm = async () => {
    setIsMissing(reason.trim() === "");
    if (reason.trim() !== "" && (await onSetDisabled(!isDisabled, reason.trim()))) close();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      isBusy={isBusy}
      title={verb}
      description={
        isDisabled
          ? "The person can sign in again, and wrong attempts are forgotten."
          : "Every session of the person ends at once."
      }
      footer={
        <>
          <Button variant="secondary" disabled={isBusy} onClick={close}>
            Cancel
          </Button>
          <Button
            variant={isDisabled ? "primary" : "danger"}
            isBusy={isBusy}
            onClick={() => void confirm()}
          >
            {verb}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 pt-1">
        <FormAlert>{failure}</FormAlert>
        <Textarea
          label="Reason"
          hint="Kept in the audit log."
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
