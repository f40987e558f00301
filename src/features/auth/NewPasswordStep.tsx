import { useId, useState, type FormEvent } from "react";
import { messageFor, type ErrorCode } from "#shared/errors";
import { Button } from "../../components/ui/Button";
import { ConnectionNote } from "../../components/ui/ConnectionNote";
import { HiddenUsername } from "../../components/ui/HiddenUsername";
import { PageHeading } from "../../components/ui/PageHeading";
import { PasswordInput } from "../../components/ui/PasswordInput";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import type { Refusal } from "../../lib/errorText";
import {
  NO_PASSWORDS,
  passwordHint,
  refusedPasswordFields,
  type PasswordField,
} from "../../lib/passwordChange";

interface NewPasswordStepProps {
  email: string;
  onSubmit: (passwords: { currentPassword: string; newPassword: string }) => void;
  onSignOut: () => void;
  isBusy: boolean;
  /** The server's refusal, until the next edit. */
  refusal: Refusal | null;
  onEdit: () => void;
  /** Set by the policy in force. */
  minLength: number;
}

/** After a password set by an administrator: the member chooses their own before anything else. */
export function NewPasswordStep(props: NewPasswordStepProps) {
  const formId = useId();
  const alertId = `${formId}-alert`;
  const [draft, setDraft] = useState(NO_PASSWORDS);
  const [ownCode, setOwnCode] = useState<ErrorCode | null>(null);
  const code = ownCode ?? props.refusal?.code;
  const invalid = refusedPasswordFields(code, draft);

  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (props.isBusy) return;
    const { currentPassword, newPassword, confirmPassword } = draft;
    const refused: ErrorCode | null =
      currentPassword === "" || newPassword === ""
        ? "FILL_REQUIRED_FIELDS"
        : newPassword !== confirmPassword
          ? "PASSWORDS_DIFFER"
          : null;
    setOwnCode(refused);
    if (refused === null) props.onSubmit({ currentPassword, newPassword });
    else document.getElementById(`${formId}-${refusedPasswordFields(refused, draft)[0]}`)?.focus();
  };
  const field = (name: PasswordField, label: string, hint?: string) => (
    <PasswordInput
      id={`${formId}-${name}`}
      label={label}
      autoComplete={name === "currentPassword" ? "current-password" : "new-password"}
      {...(hint === undefined ? {} : { hint })}
      value={draft[name]}
      onChange={(event) => {
        setDraft({ ...draft, [name]: event.target.value });
        setOwnCode(null);
        props.onEdit();
      }}
      isInvalid={invalid.includes(name)}
      describedBy={invalid.includes(name) ? alertId : undefined}
    />
  );
  return (
    <>
      <PageHeading title="Choose a new password" />
      <p className="mt-2 text-muted">
        Your password was set by an administrator. Choose one that only you know.
      </p>
      <form noValidate onSubmit={onFormSubmit} className="mt-7 grid gap-5">
        <HiddenUsername value={props.email} />
        <RefusalAlert
          id={alertId}
          message={ownCode === null ? props.refusal?.message : messageFor(ownCode)}
          fieldId={invalid[0] === undefined ? undefined : `${formId}-${invalid[0]}`}
        />
        {field("currentPassword", "Current Password")}
        {field("newPassword", "New Password", passwordHint(props.minLength))}
        {field("confirmPassword", "Confirm Password")}
        <Button type="submit" size="lg" isFullWidth isBusy={props.isBusy} busyLabel="Saving...">
          Change Password
        </Button>
        <ConnectionNote />
        <Button variant="ghost" onClick={props.onSignOut}>
          Sign out
        </Button>
      </form>
    </>
  );
}
