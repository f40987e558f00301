import { useId, useState, type FormEvent } from "react";
import { Trash2 } from "lucide-react";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { TextInput } from "../../components/ui/TextInput";

export interface DeleteUserTransactionsPanelProps {
  onDelete: (email: string) => void;
  isBusy: boolean;
  /** Progress in the specification's sentences; "" before the first use. */
  statusText: string;
  /** How many rows are gone so far, while it runs. */
  progressText: string;
}

/**
 * Deletes every transaction of one user. Typing the address is the confirmation. Spec section 2: messages that contain
 * "Error" show red, others green.
 */
export function DeleteUserTransactionsPanel(props: DeleteUserTransactionsPanelProps) {
  const { onDelete, isBusy, statusText, progressText } = props;
  const [email, setEmail] = useState("");
  const reasonId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== "" && !isBusy) onDelete(email.trim());
  };
  return (
    <Card
      title="Delete User Transactions"
      className="no-print"
      lead="Removes every transaction of one user and reverses its effect on the balance. You cannot undo this."
    >
      <form noValidate className="grid gap-3" onSubmit={submit}>
        <TextInput
          label="User email"
          type="email"
          autoComplete="off"
          spellCheck={false}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <p id={reasonId} className="text-[0.8125rem] text-muted">
          Type the email first: it confirms whose transactions are deleted.
        </p>
        <Button
          type="submit"
          variant="danger"
          isFullWidth
          isBusy={isBusy}
          disabled={email.trim() === ""}
          aria-describedby={reasonId}
        >
          {!isBusy && <Trash2 aria-hidden className="size-4" />}
          Delete Transactions
        </Button>
        <p
          role="status"
          className={`text-sm font-medium empty:absolute ${statusText.includes("Error") ? "text-neg" : "text-pos"}`}
        >
          {statusText}
        </p>
        {progressText !== "" && <p className="num text-sm text-muted">{progressText}</p>}
      </form>
    </Card>
  );
}
