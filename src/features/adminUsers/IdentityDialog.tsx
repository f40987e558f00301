import { useId } from "react";
import { identityCommand, type Identity } from "#shared/rules/identity";
import { Textarea, TextInput } from "../../components/ui/TextInput";
import { EditDialog } from "./EditDialog";
import { useIdentityEdit, type IdentityField } from "./useIdentityEdit";

export interface IdentityChange extends Identity {
  /** What the form started from. */
  readonly expected: Identity;
  readonly reason: string;
}

export interface IdentityDialogProps {
  userId: string;
  /** Both as the server has them now. */
  current: Identity;
  isOpen: boolean;
  onClose: () => void;
  /** Resolves to true once they are changed, or a second administrator is asked. */
  onSave: (change: IdentityChange) => Promise<boolean>;
  isBusy: boolean;
  failure: string | null;
  clearFailure: () => void;
}

/** Name and e-mail of a person. What is typed survives a time-out and Escape; Cancel discards it. */
export function IdentityDialog(props: IdentityDialogProps) {
  const { userId, current, isOpen, onClose, isBusy, failure, clearFailure } = props;
  const form = useIdentityEdit(userId, current, clearFailure);
  const { seen, texts } = form;
  const formId = useId();
  const idOf = (field: string) => `${formId}-${field}`;
  // While saving, the change on the server is our own.
  const isStale = !isBusy && (seen.name !== current.name || seen.email !== current.email);
  const hide = () => {
    form.clearProblems();
    clearFailure();
    onClose();
  };
  const cancel = () => {
    form.forget();
    hide();
  };
  const submit = async () => {
    const problem = form.judge();
    const change = { ...identityCommand.parse(texts), expected: seen, reason: texts.reason.trim() };
    if (problem !== null) document.getElementById(idOf(problem))?.focus();
    else if (await props.onSave(change)) cancel();
  };
  return (
    <EditDialog
      isOpen={isOpen}
      title="Change name or email"
      description="The person signs in with their email and is paid by it. They are told by email, at the old address too."
      formId={formId}
      saveLabel="Save changes"
      isStale={isStale}
      subject="name or email"
      isBusy={isBusy}
      failure={form.problems.root ?? failure}
      onHide={hide}
      onCancel={cancel}
      onSubmit={submit}
    >
      <IdentityFields form={form} idOf={idOf} />
    </EditDialog>
  );
}

function IdentityFields({
  form,
  idOf,
}: {
  form: ReturnType<typeof useIdentityEdit>;
  idOf: (field: IdentityField) => string;
}) {
  const bind = (field: IdentityField) => ({
    id: idOf(field),
    error: form.problems[field],
    required: true,
    autoComplete: "off",
    value: form.texts[field],
    onChange: ({ target }: { target: { value: string } }) => form.edit(field, target.value),
  });
  return (
    <>
      <TextInput label="Full Name" {...bind("name")} />
      <TextInput label="Email" type="email" {...bind("email")} />
      <Textarea
        label="Reason"
        hint="How you verified who asked. Kept in the audit log."
        rows={3}
        {...bind("reason")}
      />
    </>
  );
}
