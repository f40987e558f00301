import type { FormEvent } from "react";
import { Button } from "../../components/ui/Button";
import { ConnectionNote } from "../../components/ui/ConnectionNote";
import { HiddenUsername } from "../../components/ui/HiddenUsername";
import { PageHeading } from "../../components/ui/PageHeading";
import { PasswordInput } from "../../components/ui/PasswordInput";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import { usePasswordForm, type PasswordChange } from "../../hooks/usePasswordForm";
import type { Refusal } from "../../lib/errorText";

interface NewPasswordStepProps {
  email: string;
  onSubmit: (passwords: PasswordChange) => void;
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
  const { email, minLength, refusal, onEdit } = props;
  const { field, alert, judge } = usePasswordForm({
    email,
    minLength,
    serverRefusal: refusal,
    onEdit,
  });
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (props.isBusy) return;
    const passwords = judge();
    if (passwords !== null) props.onSubmit(passwords);
  };
  return (
    <>
      <PageHeading title="Choose a new password" />
      <p className="mt-2 text-muted">
        Your password was set by an administrator. Choose one that only you know.
      </p>
      <form noValidate onSubmit={onFormSubmit} className="mt-7 grid gap-5">
        <HiddenUsername value={email} />
        <RefusalAlert {...alert} />
        <PasswordInput label="Current Password" {...field("currentPassword")} />
        <PasswordInput label="New Password" {...field("newPassword")} />
        <PasswordInput label="Confirm Password" {...field("confirmPassword")} />
        <Button type="submit" size="lg" isFullWidth isBusy={props.isBusy} busyLabel="Saving...">
          Change Password
        </Button>
        <ConnectionNote />
        <Button variant="ghost" isPressedOnce onClick={props.onSignOut}>
          Sign out
        </Button>
      </form>
    </>
  );
}
