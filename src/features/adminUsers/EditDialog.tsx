import type { ReactNode } from "react";
import { Button } from "../../components/ui/Button";
import { Dialog } from "../../components/ui/Dialog";
import { FormAlert } from "../../components/ui/FormAlert";

interface EditDialogProps {
  isOpen: boolean;
  title: string;
  description: string;
  size?: "md" | "lg";
  formId: string;
  saveLabel: string;
  /** Somebody else changed meanwhile what the form started from; `subject` says what that is. */
  isStale: boolean;
  subject: string;
  isBusy: boolean;
  /** Why it was not saved. */
  failure: string | null | undefined;
  /** On Escape, too: what is typed stays. */
  onHide: () => void;
  /** What is typed is discarded. */
  onCancel: () => void;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}

/** The form in which staff change a part of a person's record. */
export function EditDialog(props: EditDialogProps) {
  const { formId, saveLabel, isStale, subject, isBusy, failure, onHide, children } = props;
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={onHide}
      isBusy={isBusy}
      size={props.size ?? "md"}
      title={props.title}
      description={props.description}
      footer={
        <>
          <Button variant="secondary" disabled={isBusy} onClick={props.onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            isBusy={isBusy}
            busyLabel="Saving..."
            disabled={isStale}
          >
            {saveLabel}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid gap-4 pt-1"
        onSubmit={(event) => {
          event.preventDefault();
          void props.onSubmit();
        }}
      >
        <FormAlert>
          {isStale
            ? `Someone has changed the ${subject} in the meantime. Cancel and open this again.`
            : failure}
        </FormAlert>
        {children}
      </form>
    </Dialog>
  );
}
