/**
 * Arguments of the changes that may need a second administrator (policy
 * `secondAdminApprovalAbove`): what the functions take is what a request for approval stores.
 *
 * Not here: the rules (shared/rules), when a second administrator is needed (model/secondAdmin).
 */
import { v, type Infer } from "convex/values";
import {
  vAccountType,
  vCategory,
  vSettableRole,
  vTransactionStatus,
  vTransactionType,
} from "./validators";

const editedFields = {
  accountNumber: v.string(),
  routingNumber: v.string(),
  balanceCents: v.int64(),
  availableCents: v.int64(),
};

export const accountUpdateArgs = {
  accountId: v.string(),
  ...editedFields,
  /** What the form started from; a difference means somebody else was faster. */
  expected: v.optional(v.object(editedFields)),
  reason: v.optional(v.string()),
};

export const addTransactionsArgs = {
  userId: v.string(),
  rows: v.array(
    v.object({
      accountType: vAccountType,
      type: vTransactionType,
      amountCents: v.int64(),
      description: v.string(),
      category: vCategory,
      date: v.number(),
      status: vTransactionStatus,
    }),
  ),
  updateBalance: v.boolean(),
  requestKey: v.string(),
  fileHash: v.optional(v.string()),
};

export const removeTransactionArgs = { transactionId: v.string() };
export const removeBatchArgs = { batchId: v.string() };
export const removeAllArgs = { email: v.string() };
export const setPolicyArgs = { key: v.string(), value: v.string() };
export const setRoleArgs = { userId: v.id("users"), role: vSettableRole };
export const setIdentityArgs = {
  userId: v.id("users"),
  name: v.string(),
  email: v.string(),
  /** What the form started from; a difference means somebody else was faster. */
  expected: v.object({ name: v.string(), email: v.string() }),
  reason: v.string(),
};
export const writePasswordResetArgs = {
  userId: v.id("users"),
  reason: v.string(),
  passwordHash: v.string(),
};

/** One change with its arguments; `kind` is the name of the action in the audit log. */
export const vMoneyChange = v.union(
  v.object({ kind: v.literal("account.update"), args: v.object(accountUpdateArgs) }),
  v.object({ kind: v.literal("transactions.add"), args: v.object(addTransactionsArgs) }),
  v.object({ kind: v.literal("transactions.remove"), args: v.object(removeTransactionArgs) }),
  v.object({ kind: v.literal("transactions.removeBatch"), args: v.object(removeBatchArgs) }),
  v.object({ kind: v.literal("transactions.removeAll"), args: v.object(removeAllArgs) }),
  v.object({ kind: v.literal("policy.set"), args: v.object(setPolicyArgs) }),
  v.object({ kind: v.literal("user.setRole"), args: v.object(setRoleArgs) }),
  v.object({ kind: v.literal("identity.set"), args: v.object(setIdentityArgs) }),
);
export type MoneyChange = Infer<typeof vMoneyChange>;

/** Everything that may await a second administrator, including what only the server requests, with what it computed. */
export const vWaitingChange = v.union(
  vMoneyChange,
  v.object({
    kind: v.literal("user.resetPassword"),
    args: v.object({
      ...writePasswordResetArgs,
      /** When requested: whether the person was an administrator, and which password they had. */
      expected: v.optional(v.object({ isAdmin: v.boolean(), credential: v.string() })),
    }),
  }),
);
export type WaitingChange = Infer<typeof vWaitingChange>;

/** The arguments of one kind of change. */
export type ArgsOf<Kind extends WaitingChange["kind"]> = Extract<
  WaitingChange,
  { kind: Kind }
>["args"];
