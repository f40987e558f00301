/**
 * What a change that waits for approval would do, in lines the second administrator reads.
 *
 * Written once, when the change is asked for. Not here: the requests (model/approvals).
 */
import type { Doc } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { dateOf } from "../shared/dates";
import { appError } from "../shared/errors";
import { signedCents } from "../shared/ledger";
import { formatSignedUsd, formatUsd } from "../shared/money";
import type { MoneyChange } from "../shared/moneyChanges";
import { getPerson, getTransaction, getBatch } from "./adminPostings";
import { allRowsCents } from "./secondAdmin";
import { findByEmail, getUser } from "./users";

/** Rows named one by one; the others are counted. */
const ROWS_NAMED_MAX = 20;

export type Summary = {
  readonly person: Doc<"users"> | null;
  readonly targetLabel: string;
  readonly lines: string[];
};
type ArgsOf<Kind extends MoneyChange["kind"]> = Extract<MoneyChange, { kind: Kind }>["args"];

/**
 * Whom a change concerns and what it does.
 * @throws AppError ACCOUNT_NOT_FOUND, USER_NOT_FOUND, TRANSACTION_NOT_FOUND, NOT_FOUND
 */
export async function summaryOf(ctx: QueryCtx, change: MoneyChange): Promise<Summary> {
  switch (change.kind) {
    case "account.update":
      return await ofAccountUpdate(ctx, change.args);
    case "transactions.add":
      return await ofRows(ctx, change.args);
    case "transactions.remove": {
      const row = await getTransaction(ctx, change.args.transactionId);
      return about(await getUser(ctx, row.userId), [rowLine(row)]);
    }
    case "transactions.removeBatch": {
      const batch = await getBatch(ctx, change.args.batchId);
      const lines = [`${batch.count} rows of ${dateOf(batch.createdAt)}, added together`];
      return about(await getUser(ctx, batch.userId), lines);
    }
    case "transactions.removeAll": {
      const person = await findByEmail(ctx, change.args.email);
      if (person === null) throw appError("USER_NOT_FOUND");
      const total = formatUsd(await allRowsCents(ctx, person._id));
      return about(person, [`Every transaction, ${total} in and out together`]);
    }
    case "policy.set":
      return {
        person: null,
        targetLabel: change.args.key,
        lines: [`New value ${change.args.value}`],
      };
  }
}

const about = (person: Doc<"users">, lines: string[]): Summary => ({
  person,
  targetLabel: person.email,
  lines,
});

async function ofAccountUpdate(ctx: QueryCtx, args: ArgsOf<"account.update">): Promise<Summary> {
  const id = ctx.db.normalizeId("accounts", args.accountId);
  const account = id === null ? null : await ctx.db.get("accounts", id);
  if (account === null) throw appError("ACCOUNT_NOT_FOUND");
  const person = await getUser(ctx, account.userId);
  const pairs = [
    ["Balance", formatUsd(account.balanceCents), formatUsd(args.balanceCents)],
    ["Available", formatUsd(account.availableCents), formatUsd(args.availableCents)],
    ["Account number", account.accountNumber, args.accountNumber],
    ["Routing number", account.routingNumber, args.routingNumber],
  ] as const;
  const lines = pairs
    .filter(([, before, after]) => before !== after)
    .map(([name, before, after]) => `${name} from ${before} to ${after}`);
  if (args.reason !== undefined) lines.push(`Reason: ${args.reason}`);
  return { person, targetLabel: `${account.type} of ${person.email}`, lines };
}

async function ofRows(ctx: QueryCtx, args: ArgsOf<"transactions.add">): Promise<Summary> {
  const person = await getPerson(ctx, args.userId);
  const lines = args.rows.slice(0, ROWS_NAMED_MAX).map(rowLine);
  const unnamed = args.rows.length - lines.length;
  if (unnamed > 0) lines.push(`and ${unnamed} more rows`);
  return about(person, lines);
}

function rowLine(
  row: Pick<
    Doc<"transactions">,
    "accountType" | "type" | "amountCents" | "description" | "date" | "status"
  >,
): string {
  const amount = formatSignedUsd(signedCents(row.type, row.amountCents));
  return `${amount} ${row.accountType}, ${dateOf(row.date)}, ${row.status}: ${row.description}`;
}
