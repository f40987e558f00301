import { SupportContact } from "../../components/bank/SupportContact";
import { Button } from "../../components/ui/Button";
import { AlertDialog } from "../../components/ui/Dialog";
import { outcomeTitle, type Outcome } from "./outcomes";

interface OutcomeDialogProps {
  /** Null closes the dialog. */
  readonly outcome: Outcome | null;
  readonly onClose: () => void;
}

/** A refused transfer in the specification's words, with support's hours and address. */
export function OutcomeDialog({ outcome, onClose }: OutcomeDialogProps) {
  return (
    <AlertDialog
      isOpen={outcome !== null}
      onClose={onClose}
      icon="warning"
      title={outcome === null ? "" : outcomeTitle(outcome.code)}
      description={outcome?.message}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <SupportContact className="mx-auto w-fit" />
    </AlertDialog>
  );
}
