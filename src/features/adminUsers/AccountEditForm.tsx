import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import { messageFor, type ErrorCode } from "#shared/errors";
import { parseAmount, type Cents } from "#shared/money";
import {
  ACCOUNT_EDIT_RULES,
  shapeAccountNumber,
  shapeRoutingNumber,
} from "#shared/rules/accountEdit";
import { refusalsByField } from "#shared/rules/rule";
import { AmountInput } from "../../components/ui/AmountInput";
import { Button } from "../../components/ui/Button";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import { TextInput } from "../../components/ui/TextInput";
import {
  ACCOUNT_FIELD_LABELS,
  changedFields,
  editField,
  type AccountEdit,
  type AccountField,
  type AccountValues,
} from "./accountEdit";
import { StaleNotice } from "./StaleNotice";
import { useKeptEdit } from "./useKeptEdit";

export interface AccountChange {
  readonly accountNumber: string;
  readonly routingNumber: string;
  readonly balanceCents: Cents;
  readonly availableCents: Cents;
  /** What the admin saw; the server refuses if it is no longer current. */
  readonly expected: AccountValues;
  readonly reason?: string;
}

interface EditRefusal {
  readonly text: string;
  readonly field?: AccountField;
}

interface AccountEditFormProps {
  label: string;
  accountId: string;
  /** The account as the server has it now; it may change while the form is open. */
  current: AccountValues;
  onSave: (change: AccountChange) => Promise<string | null>;
  onCancel: () => void;
  disabledReason?: string | undefined;
  /** It was opened by a press just now. */
  takesFocus: boolean;
}

/** Numbers and balances of one account. Typed values survive changes made elsewhere. */
export function AccountEditForm(props: AccountEditFormProps) {
  const { accountId, current, onSave, disabledReason, takesFocus } = props;
  const { edit, setEdit, reason, setReason, forget } = useKeptEdit(accountId, current);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<EditRefusal | null>(null);
  const form = useRef<HTMLFormElement>(null);
  // While saving, the change on the server is our own.
  const stale = isBusy ? [] : changedFields(edit, current);
  useEffect(() => {
    if (takesFocus) form.current?.querySelector("input")?.focus();
  }, [takesFocus]);

  const choose = (next: AccountEdit) => {
    setEdit(next);
    // The notice goes, and with it the button that has the focus. Not a field: a held Enter would save in it.
    form.current?.focus();
  };
  const change = (field: AccountField, text: string) => {
    setRefusal(null);
    setEdit(editField(edit, field, text));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const judged = judge(edit);
    if ("field" in judged) {
      setRefusal(judged);
      return;
    }
    setIsBusy(true);
    setRefusal(null);
    const text = await onSave({
      ...judged,
      expected: valuesOf(edit.seen),
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
    });
    setIsBusy(false);
    if (text === null) forget();
    else setRefusal({ text });
  };
  return (
    <form
      ref={form}
      tabIndex={-1}
      aria-label={props.label}
      noValidate
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => void submit(event)}
    >
      <StaleNotice stale={stale} edit={edit} current={current} onChoose={choose} />
      <AccountFields
        texts={edit.texts}
        refusal={refusal}
        reason={reason}
        onChange={change}
        onReasonChange={setReason}
      />
      <EditActions
        isBusy={isBusy}
        isStale={stale.length > 0}
        disabledReason={disabledReason}
        onCancel={() => {
          forget();
          props.onCancel();
        }}
      />
    </form>
  );
}

function EditActions({
  isBusy,
  isStale,
  disabledReason,
  onCancel,
}: {
  isBusy: boolean;
  /** Someone else's values are waiting to be accepted or overridden. */
  isStale: boolean;
  disabledReason: string | undefined;
  onCancel: () => void;
}) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {disabledReason !== undefined && (
        <p className="w-full text-[0.8125rem] text-muted">{disabledReason}</p>
      )}
      <Button variant="secondary" disabled={isBusy} onClick={onCancel}>
        Cancel
      </Button>
      <Button
        type="submit"
        isBusy={isBusy}
        busyLabel="Saving..."
        disabled={isStale || disabledReason !== undefined}
      >
        Save changes
      </Button>
    </div>
  );
}

/** The four values, in the specification's formats, the reason for the change, and why it was refused. */
function AccountFields({
  texts,
  refusal,
  reason,
  onChange,
  onReasonChange,
}: {
  texts: AccountEdit["texts"];
  refusal: EditRefusal | null;
  reason: string;
  onChange: (field: AccountField, text: string) => void;
  onReasonChange: (reason: string) => void;
}) {
  const alertId = useId();
  const invalidField = refusal?.field;
  const idOf = (field: AccountField) => `${alertId}-${field}`;
  const fieldProps = (field: AccountField) => ({
    id: idOf(field),
    label: ACCOUNT_FIELD_LABELS[field],
    value: texts[field],
    isInvalid: invalidField === field,
    describedBy: invalidField === field ? alertId : undefined,
    autoComplete: "off",
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextInput
        {...fieldProps("accountNumber")}
        inputMode="numeric"
        className="num"
        hint="10 digits, not starting with 0"
        onChange={(event) => onChange("accountNumber", shapeAccountNumber(event.target.value))}
      />
      <TextInput
        {...fieldProps("routingNumber")}
        inputMode="numeric"
        className="num"
        hint="9 digits"
        onChange={(event) => onChange("routingNumber", shapeRoutingNumber(event.target.value))}
      />
      {(["balance", "available"] as const).map((field) => (
        <AmountInput
          key={field}
          {...fieldProps(field)}
          className="text-right"
          hint={
            field === "available" ? "What can be spent. It does not follow the balance." : undefined
          }
          onValueChange={(text) => onChange(field, text)}
        />
      ))}
      <TextInput
        label="Reason"
        isOptional
        hint="Kept in the audit log."
        fieldClassName="sm:col-span-2"
        autoComplete="off"
        value={reason}
        onChange={(event) => onReasonChange(event.target.value)}
      />
      {/* Close to the button: the first field may be far above it on a phone. */}
      <RefusalAlert
        id={alertId}
        message={refusal?.text}
        fieldId={invalidField === undefined ? undefined : idOf(invalidField)}
        className="sm:col-span-2"
      />
    </div>
  );
}

const FIELD_OF_DRAFT: Readonly<Record<string, AccountField>> = {
  accountNumber: "accountNumber",
  routingNumber: "routingNumber",
  balanceCents: "balance",
  availableCents: "available",
};

/** The command, or the first refusal with its field. */
function judge(
  edit: AccountEdit,
): { text: string; field: AccountField } | Omit<AccountChange, "expected" | "reason"> {
  const draft = {
    accountNumber: edit.texts.accountNumber,
    routingNumber: edit.texts.routingNumber,
    balanceCents: parseAmount(edit.texts.balance),
    availableCents: parseAmount(edit.texts.available),
  };
  const [first] = refusalsByField(ACCOUNT_EDIT_RULES, draft, edit.seen);
  if (first !== undefined) return refusalOfField(first.field, first.code);
  const { balanceCents, availableCents } = draft;
  if (typeof balanceCents !== "bigint" || typeof availableCents !== "bigint") {
    return refusalOfField("balanceCents", "INVALID_AMOUNT");
  }
  return { ...draft, balanceCents, availableCents };
}

function refusalOfField(
  draftField: string,
  code: ErrorCode,
): { text: string; field: AccountField } {
  return { text: messageFor(code), field: FIELD_OF_DRAFT[draftField] ?? "accountNumber" };
}

/** Only the four values: the account on the page carries more. */
function valuesOf(values: AccountValues): AccountValues {
  const { accountNumber, routingNumber, balanceCents, availableCents } = values;
  return { accountNumber, routingNumber, balanceCents, availableCents };
}
