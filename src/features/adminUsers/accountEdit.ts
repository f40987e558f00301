/**
 * One inline edit of an account: the fields as text, which of them the admin changed, and what
 * happens when the account changes on the server meanwhile.
 */
import { toDecimalText } from "#shared/money";

export interface AccountValues {
  readonly accountNumber: string;
  readonly routingNumber: string;
  readonly balanceCents: bigint;
  readonly availableCents: bigint;
}

interface AccountTexts {
  readonly accountNumber: string;
  readonly routingNumber: string;
  readonly balance: string;
  readonly available: string;
}
export type AccountField = keyof AccountTexts;

export interface AccountEdit {
  /** The server's values that the admin has seen; sent along as `expected`. */
  readonly seen: AccountValues;
  readonly texts: AccountTexts;
}

/** An edit as it is stored: JSON has no bigint. */
interface AccountDraft {
  readonly texts: AccountTexts;
  readonly reason: string;
  readonly seen: Readonly<Record<keyof AccountValues, string>>;
}

const FIELDS: readonly AccountField[] = ["accountNumber", "routingNumber", "balance", "available"];

export const ACCOUNT_FIELD_LABELS: Readonly<Record<AccountField, string>> = {
  accountNumber: "Account Number",
  routingNumber: "Routing Number",
  balance: "Balance",
  available: "Available",
};

/** An edit in which nothing is dirty. Balances are written as decimals, `toDecimalText` of the cents. */
export function startEdit(values: AccountValues): AccountEdit {
  return { seen: values, texts: textsOf(values) };
}

/** Keeps the text as typed; whether it is a valid amount or number is checked on saving. */
export function editField(edit: AccountEdit, field: AccountField, text: string): AccountEdit {
  return { ...edit, texts: { ...edit.texts, [field]: text } };
}

/** Fields whose text differs from what the admin saw. */
export function dirtyFields(edit: AccountEdit): AccountField[] {
  const seen = textsOf(edit.seen);
  return FIELDS.filter((field) => edit.texts[field] !== seen[field]);
}

/** Fields that the server changed since the admin saw them. */
export function changedFields(edit: AccountEdit, current: AccountValues): AccountField[] {
  const seen = textsOf(edit.seen);
  const now = textsOf(current);
  return FIELDS.filter((field) => seen[field] !== now[field]);
}

/** "Use new values": everything the admin typed is discarded. */
export function takeNewValues(current: AccountValues): AccountEdit {
  return startEdit(current);
}

/** "Keep my values": typed fields stay, the others follow the server. */
export function keepMyValues(edit: AccountEdit, current: AccountValues): AccountEdit {
  const dirty = dirtyFields(edit);
  const now = textsOf(current);
  const pick = (field: AccountField): string =>
    dirty.includes(field) ? edit.texts[field] : now[field];
  return {
    seen: current,
    texts: {
      accountNumber: pick("accountNumber"),
      routingNumber: pick("routingNumber"),
      balance: pick("balance"),
      available: pick("available"),
    },
  };
}

/** The server's value of a field as the form writes it. */
export function textOf(values: AccountValues, field: AccountField): string {
  return textsOf(values)[field];
}

function textsOf(values: AccountValues): AccountTexts {
  return {
    accountNumber: values.accountNumber,
    routingNumber: values.routingNumber,
    balance: toDecimalText(values.balanceCents),
    available: toDecimalText(values.availableCents),
  };
}

export function draftOf({ texts, seen }: AccountEdit, reason: string): AccountDraft {
  return {
    texts,
    reason,
    seen: {
      ...seen,
      balanceCents: String(seen.balanceCents),
      availableCents: String(seen.availableCents),
    },
  };
}

export function editOf({ texts, seen }: AccountDraft): AccountEdit {
  return {
    texts,
    seen: {
      ...seen,
      balanceCents: BigInt(seen.balanceCents),
      availableCents: BigInt(seen.availableCents),
    },
  };
}
