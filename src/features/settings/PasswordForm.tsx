import { messageFor } from "#shared/errors";
import { PASSWORD_CHANGE_RULES } from "#shared/rules/profile";
import { firstRefusal } from "#shared/rules/rule";
import { useId, useState, type FormEvent } from "react";
import { Button } from "../../components/ui/Button";
import { HiddenUsername } from "../../components/ui/HiddenUsername";
import { PasswordInput } from "../../components/ui/PasswordInput";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import type { Refusal } from "../../lib/errorText";
import {
  NO_PASSWORDS,
  passwordHint,
  refusedPasswordFields,
  type PasswordField,
} from "../../lib/passwordChange";

interface PasswordFormProps {
  /** The member's e-mail address, which the password must not equal. */
  readonly email: string;
  /** Set by the policy in force. */
  readonly minLength: number;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  readonly disabledReason: string | undefined;
  readonly onEdit: () => void;
  /** Resolves to whether it was changed; if so, the form empties itself. */
  readonly onSubmit: (passwords: {
    currentPassword: string;
    newPassword: string;
  }) => Promise<boolean>;
}

/** Changes the password; typed passwords are never kept as a draft. */
export function PasswordForm(props: PasswordFormProps) {
  const formId = useId();
  const [draft, setDraft] = useState(NO_PASSWORDS);
  const [ownRefusal, setOwnRefusal] = useState<Refusal | null>(null);
  const refusal = ownRefusal ?? props.refusal;
  const alertId = `${formId}-alert`;

  const invalid = refusedPasswordFields(refusal?.code, draft);

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const { email, minLength } = props;
    const facts = { passwordMinLength: minLength };
    const code = firstRefusal(PASSWORD_CHANGE_RULES, { ...draft, email }, facts);
    const refused =
      code === null ? null : { code, message: messageFor(code, { minimum: minLength }) };
    setOwnRefusal(refused);
    if (refused !== null) {
      const [first] = refusedPasswordFields(refused.code, draft);
      document.getElementById(`${formId}-${first ?? "currentPassword"}`)?.focus();
      return;
    }
    const { currentPassword, newPassword } = draft;
    if (await props.onSubmit({ currentPassword, newPassword })) setDraft(NO_PASSWORDS);
  };

  const field = (name: PasswordField, label: string, autoComplete: string, hint?: string) => (
    <PasswordInput
      id={`${formId}-${name}`}
      label={label}
      autoComplete={autoComplete}
      {...(hint === undefined ? {} : { hint })}
      value={draft[name]}
      onChange={(event) => {
        setDraft({ ...draft, [name]: event.target.value });
        setOwnRefusal(null);
        props.onEdit();
      }}
      isInvalid={invalid.includes(name)}
      describedBy={invalid.includes(name) ? alertId : undefined}
    />
  );
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      <HiddenUsername value={props.email} />
      {field("currentPassword", "Current Password", "current-password")}
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-x-3">
        {field("newPassword", "New Password", "new-password", passwordHint(props.minLength))}
        {field("confirmPassword", "Confirm Password", "new-password")}
      </div>
      <RefusalAlert
        id={alertId}
        message={refusal?.message}
        fieldId={invalid[0] === undefined ? undefined : `${formId}-${invalid[0]}`}
      />
      <div className="flex flex-wrap items-center gap-4">
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
