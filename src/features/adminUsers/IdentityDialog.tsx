import { useId } from "react";
import { identityCommand, type Identity } from "#shared/rules/identity";
import { Textarea, TextInput } from "../../components/ui/TextInput";
import { EditDialog, type EditProps } from "./EditDialog";
import { useIdentityEdit, type IdentityField } from "./useIdentityEdit";

export interface IdentityChange extends Identity {
  /** What the form started from. */
  readonly expected: Identity;
  readonly reason: string;
}

export interface IdentityDialogProps extends EditProps {
  userId: string;
  /** Both as the server has them now. */
  current: Identity;
  /** Resolves to true once they are changed, or a second administrator is asked. */
  onSave: (change: IdentityChange) => Promise<boolean>;
}

/** Name and e-mail of a person. */
export function IdentityDialog({ userId, current, onSave, ...dialog }: IdentityDialogProps) {
  const form = useIdentityEdit(userId, current, dialog.clearFailure);
  const { seen, texts } = form;
  const formId = useId();
  return (
    <EditDialog
      {...dialog}
      title="Change name or email"
      description="The person signs in with their email and is paid by it. They are told by email, at the old address too."
      formId={formId}
      form={form}
      saveLabel="Save changes"
      isStale={seen.name !== current.name || seen.email !== current.email}
      subject="name or email"
      onSave={() =>
        onSave({
          ...identityCommand.parse(texts),
          expected: seen,
          reason: texts.reason.trim(),
        })
      }
    >
      <IdentityFields form={form} formId={formId} />
    </EditDialog>
  );
}

function IdentityFields({
  form,
  formId,
}: {
  form: ReturnType<typeof useIdentityEdit>;
  formId: string;
}) {
  const bind = (field: IdentityField) => ({
    id: `${formId}-${field}`,
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
