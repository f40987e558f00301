import type { FormEvent } from "react";
import { Button } from "../../components/ui/Button";
import { HiddenUsername } from "../../components/ui/HiddenUsername";
import { PasswordInput } from "../../components/ui/PasswordInput";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import { usePasswordForm, type PasswordChange } from "../../hooks/usePasswordForm";
import type { Refusal } from "../../lib/errorText";

interface PasswordFormProps {
  readonly email: string;
  /** Set by the policy in force. */
  readonly minLength: number;
  readonly isBusy: boolean;
  /** The server's refusal, until the next edit. */
  readonly refusal: Refusal | null;
  readonly disabledReason: string | undefined;
  readonly onEdit: () => void;
  /** Resolves to whether it was changed; if so, the form empties itself. */
  readonly onSubmit: (passwords: PasswordChange) => Promise<boolean>;
}

/** Changes the password of a signed-in person. */
export function PasswordForm(props: PasswordFormProps) {
  const { email, minLength, refusal, onEdit } = props;
  const { field, alert, judge, empty } = usePasswordForm({
    email,
    minLength,
    serverRefusal: refusal,
    onEdit,
  });
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const passwords = judge();
    if (passwords !== null && (await props.onSubmit(passwords))) empty();
  };
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      <HiddenUsername value={email} />
      <PasswordInput label="Current Password" {...field("currentPassword")} />
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-x-3">
        <PasswordInput label="New Password" {...field("newPassword")} />
        <PasswordInput label="Confirm Password" {...field("confirmPassword")} />
      </div>
      <RefusalAlert {...alert} />
      <div className="flex flex-wrap items-center gap-4 max-sm:*:w-full">
        <Button
          type="submit"
          isBusy={props.isBusy}
          busyLabel="Changing..."
          disabled={props.disabledReason !== undefined}
        >
          Change Password
        </Button>
        <p className="text-sm text-muted">
          {props.disabledReason ?? "Every other session will be signed out."}
        </p>
      </div>
    </form>
  );
}
