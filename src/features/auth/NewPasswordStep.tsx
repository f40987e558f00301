import { useState, type FormEvent } from "react";
import { messageFor, type ErrorCode } from "#shared/errors";
import { Button } from "../../components/ui/Button";
import { FormAlert } from "../../components/ui/FormAlert";
import { PageHeading } from "../../components/ui/PageHeading";
import { PasswordInput } from "../../components/ui/PasswordInput";

interface NewPasswordStepProps {
  onSubmit: (passwords: { currentPassword: string; newPassword: string }) => void;
  onSignOut: () => void;
  isBusy: boolean;
  problem: string | null;
}

const ALERT_ID = "new-password-problem";

/** After a password set by an administrator: the member chooses their own before anything else. */
export function NewPasswordStep({ onSubmit, onSignOut, isBusy, problem }: NewPasswordStepProps) {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const [confirmPassword, setConfirmPassword] = useState("");
  const [refused, setRefused] = useState<ErrorCode | null>(null);
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const code: ErrorCode | null =
      currentPassword === "" || newPassword === ""
        ? "FILL_REQUIRED_FIELDS"
        : newPassword !== confirmPassword
          ? "PASSWORDS_DIFFER"
          : null;
    setRefused(code);
    if (code === null) onSubmit({ currentPassword, newPassword });
  };
  return (
    <>
      <PageHeading title="Choose a new password" />
      <p className="mt-2 text-muted">
        Your password was set by an administrator. Choose one that only you know.
      </p>
      <form noValidate onSubmit={onFormSubmit} className="mt-7 grid gap-5">
        <FormAlert id={ALERT_ID}>{refused === null ? problem : messageFor(refused)}</FormAlert>
        <PasswordInput
          label="Current Password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={(event) => setCurrentPassword(event.target.value)}
        />
        <PasswordInput
          label="New Password"
          autoComplete="new-password"
          value={newPassword}
          onChange={(event) => setNewPassword(event.target.value)}
        />
        <PasswordInput
          label="Confirm Password"
          autoComplete="new-password"
          value={confirmPassword}
          onChange={(event) => setConfirmPassword(event.target.value)}
        />
        <Button type="submit" size="lg" isFullWidth isBusy={isBusy} busyLabel="Saving...">
          Change Password
        </Button>
        <Button variant="ghost" onClick={onSignOut}>
          Sign out
        </Button>
      </form>
    </>
  );
}
