import { MESSAGES } from "#shared/errors";
import { parseAmount } from "#shared/money";
import { MOBILE_DEPOSIT_RULES } from "#shared/rules/mobileDeposit";
import { firstRefusal } from "#shared/rules/rule";
import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import type { SelectableAccount } from "../../components/bank/AccountSelect";
import { useKept } from "../../hooks/useKept";
import { isImage } from "./prepareImage";
import type { Deposit, Side } from "./useMobileDeposit";

/** Without a type the bytes decide: not every system knows that of a phone's photos (HEIC). */
const MAYBE_IMAGE_TYPE = /^(image\/|$)/;

/** The deposit being prepared, kept through visits to other pages. */
const EMPTY: {
  readonly toAccount: string;
  readonly amount: string;
  readonly front: File | null;
  readonly back: File | null;
} = { toAccount: "Checking", amount: "", front: null, back: null };

type DepositField = "account" | "amount" | Side;

export interface DepositFormOptions {
  readonly accounts: readonly SelectableAccount[];
  readonly isBusy: boolean;
  /** Why the last deposit was refused, and the photo concerned, if any. */
  readonly message: string | undefined;
  readonly refusedSide: Side | null;
  readonly onEdit: () => void;
  /** Resolves to whether it was submitted; if so, the form empties itself. */
  readonly onSubmit: (deposit: Deposit) => Promise<boolean>;
}

/** What is typed and picked for a deposit, why it is refused, and where the focus goes. */
export function useDepositForm(options: DepositFormOptions) {
  const { accounts, isBusy } = options;
  const formId = useId();
  const outcome = useRef<HTMLDivElement>(null);
  const [draft, change] = useKept("deposit", EMPTY);
  const { toAccount, amount, front, back } = draft;
  const [own, setOwn] = useState<{
    readonly message: string;
    readonly field: DepositField;
  } | null>(null);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  const message = own?.message ?? options.message;
  const alertId = `${formId}-alert`;
  const idOf = (field: DepositField) => `${formId}-${field}`;
  const isAmountRefused = message === MESSAGES.DEPOSIT_LIMIT || message === MESSAGES.INVALID_AMOUNT;
  const refusedField = own?.field ?? (isAmountRefused ? "amount" : options.refusedSide);
  const isComplete = parseAmount(amount) !== "empty" && front !== null && back !== null;
  const wire = (field: DepositField) => {
    const isInvalid = message !== undefined && field === refusedField;
    return { id: idOf(field), isInvalid, describedBy: isInvalid ? alertId : undefined };
  };

  const edit = (changes: Partial<typeof draft>) => {
    setOwn(null);
    options.onEdit();
    change(changes);
  };
  const pick = (side: Side) => async (file: File | null) => {
    const isOther = file !== null && !MAYBE_IMAGE_TYPE.test(file.type);
    edit(isOther ? {} : { [side]: file });
    if (isOther) setOwn({ message: MESSAGES.INVALID_IMAGE, field: side });
    else if (file !== null && !(await isImage(file)) && latest.current[side] === file) {
      setOwn({ message: MESSAGES.INVALID_IMAGE, field: side });
    }
  };
  const refuse = (field: DepositField, refused: string) => {
    setOwn({ message: refused, field });
    document.getElementById(idOf(field))?.focus();
  };
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const amountCents = parseAmount(amount);
    const [hasFrontImage, hasBackImage] = [front !== null, back !== null];
    const facts = { toAccount, amountCents, hasFrontImage, hasBackImage };
    const refused = firstRefusal(MOBILE_DEPOSIT_RULES, facts, undefined);
    setOwn(null);
    // The button stays disabled until everything else is there.
    const refusedInput = toAccount === "" ? "account" : "amount";
    if (refused !== null) return refuse(refusedInput, MESSAGES[refused]);
    const account = accounts.find((known) => known.type === toAccount);
    if (account === undefined || front === null || back === null) return;
    if (typeof amountCents !== "bigint") return;
    for (const [side, file] of [["front", front] as const, ["back", back] as const]) {
      if (!(await isImage(file))) return refuse(side, MESSAGES.INVALID_IMAGE);
    }
    // Edited meanwhile: this is no longer what is to be sent.
    if (latest.current !== draft) return;
    const hasFocus = () => form.contains(document.activeElement);
    // The fields are disabled meanwhile: one in which Enter was pressed would lose the focus.
    if (hasFocus()) form.querySelector<HTMLElement>("[type=submit]")?.focus();
    if (await options.onSubmit({ toAccount: account.type, amountCents, front, back })) {
      change({ amount: "", front: null, back: null });
      if (hasFocus()) outcome.current?.focus();
    }
  };
  return {
    draft,
    edit,
    pick,
    wire,
    onSubmit,
    isComplete,
    outcome,
    /** What to spread on the alert. */
    alert: {
      id: alertId,
      message,
      fieldId: refusedField === null ? undefined : idOf(refusedField),
    },
  };
}
