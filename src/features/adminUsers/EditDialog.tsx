import type { FormEvent, ReactNode } from "react";
import { flushSync } from "react-dom";
import { Button } from "../../components/ui/Button";
import { Dialog } from "../../components/ui/Dialog";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import type { ActState } from "../../hooks/useActs";

/** What a route knows of such a form, whatever it is about. */
export interface EditProps extends ActState {
  isOpen: boolean;
  onClose: () => void;
}

interface EditDialogProps extends EditProps {
  title: string;
  description: string;
  size?: "md" | "lg";
  formId: string;
  form: {
    readonly problems: { readonly root?: string | undefined };
    /** Whether it may be saved; `problems` says why not. */
    readonly judge: () => boolean;
    readonly clearProblems: () => void;
    readonly forget: () => void;
  };
  saveLabel: string;
  /** Somebody else changed meanwhile what the form started from; `subject` says what that is. */
  isStale: boolean;
  subject: string;
  /** Resolves to true once it is done. */
  onSave: () => Promise<boolean>;
  children: ReactNode;
}

/**
 * The form in which staff change a part of a person's record. What is typed survives a time-out and Escape; Cancel
 * discards it.
 */
export function EditDialog(props: EditDialogProps) {
  const { formId, form, saveLabel, subject, isBusy, failure, children } = props;
  // While saving, the change on the server is our own.
  const isStale = props.isStale && !isBusy;
  const hide = () => {
    form.clearProblems();
    props.clearFailure();
    props.onClose();
  };
  const cancel = () => {
    form.forget();
    hide();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { currentTarget } = event;
    // The sentences are there before the form scrolls: below the last visible field they would be under the footer.
    if (!flushSync(form.judge)) focusFirstRefused(currentTarget);
    else if (await props.onSave()) cancel();
  };
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={hide}
      isBusy={isBusy}
      size={props.size ?? "md"}
      title={props.title}
      description={props.description}
      footer={
        <>
          <Button variant="secondary" disabled={isBusy} onClick={cancel}>
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
        onSubmit={(event) => void submit(event)}
      >
        <RefusalAlert
          id={`${formId}-alert`}
          message={
            isStale
              ? `Someone has changed the ${subject} in the meantime. Cancel and open this again.`
              : (form.problems.root ?? failure ?? undefined)
          }
        />
        {children}
      </form>
    </Dialog>
  );
}

function focusFirstRefused(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLElement>("[aria-invalid=true]");
  field?.scrollIntoView({ block: "center" });
  field?.focus();
}
