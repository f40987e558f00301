/**
 * What a change awaiting approval would do, in lines for the second administrator to read.
 *
 * Written when the change is requested, and compared when it is approved. Not here: the requests (model/approvals).
 */
import type { Doc } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { dateLabel, dateOf, timeOf } from "../shared/dates";
import { appError } from "../shared/errors";
import { signedCents } from "../shared/ledger";
import { plural } from "../shared/counts";
import { formatSignedUsd, formatUsd, sumCents } from "../shared/money";
import { SHORT_TEXT_LENGTH_MAX } from "../shared/limits";
import type { WaitingChange } from "../shared/moneyChanges";
import { policyTitle, policyValueText } from "../shared/policyTexts";
import { isPlainText, shapeText } from "../shared/plainText";
import { ACCOUNT_EDIT_RULES } from "../shared/rules/accountEdit";
import { ACCOUNT_TYPES } from "../shared/validators";
import { editedPart, isSame, shapedEdit } from "./accountEdits";
import { getTransaction, isPosted, judgeFileHash, judgeRows, shapedRows } from "./adminPostings";
import { findById } from "./byId";
import { judgedChange } from "./identity";
import { judge } from "./judge";
import { ownersOf } from "./ledgerRemoval";
import { policyChange, policyValue } from "./policies";
import { judgeRequestKey } from "./requests";
import { rowSums, type Approval } from "./secondAdmin";
import { credentialOf, findByEmail, getUser, hasGivenPassword } from "./users";
import { batchRowsOf, findAddedFile, getBatch } from "./transactionBatches";

/** Rows named one by one; the others are counted. */
const ROWS_NAMED_MAX = 20;

/** The change as stored, and what it amounts to. */
export type Summary = {
  readonly change: WaitingChange;
  readonly person: Doc<"users"> | null;
  readonly targetLabel: string;
  readonly lines: string[];
};
type Change<Kind extends WaitingChange["kind"]> = Extract<WaitingChange, { kind: Kind }>;

/**
 * Whom a change concerns and what it does. An edit is stored with the values it started from, so that what is approved
 * is what was read.
 * @throws AppError those of its kind: ACCOUNT_NOT_FOUND, those of ACCOUNT_EDIT_RULES, INVALID_TEXT, STALE_EDIT
 *   (an edit); INVALID_TEXT (the request key, the file's hash), USER_NOT_FOUND and those of `judgeRows` (rows to add);
 *   TRANSACTION_NOT_FOUND; NOT_FOUND (a batch); USER_NOT_FOUND (all rows, a password); USER_NOT_FOUND,
 *   PASSWORD_NOT_CHANGED (a role); those of `judgedChange` (name and e-mail); NOT_FOUND, INVALID_POLICY_VALUE (a policy)
 */
export async function summaryOf(ctx: QueryCtx & Approval, change: WaitingChange): Promise<Summary> {
  switch (change.kind) {
    case "account.update":
      return await ofAccountUpdate(ctx, change);
    case "transactions.add":
      return await ofRows(ctx, change);
    case "transactions.remove": {
      const row = await getTransaction(ctx, change.args.transactionId);
      const others = (await ownersOf(ctx, row)).filter((id) => id !== row.userId);
      const lines = others.map(
        async (id) => `The other side, of ${(await getUser(ctx, id)).email}, is reversed as well`,
      );
      return about(change, await getUser(ctx, row.userId), [
        rowLine(row),
        ...(await Promise.all(lines)),
      ]);
    }
    case "transactions.removeBatch": {
      const batch = await getBatch(ctx, change.args.batchId);
      const rows = await batchRowsOf(ctx, batch._id);
      const posted = rows.filter((row) => row.journalId !== undefined);
      const lines = [
        `${plural(batch.count, "row")} added together on ${dayOf(batch.createdAt)}`,
        ...totalLines(posted, { isTakenBack: true }),
      ];
      return about(change, await getUser(ctx, batch.userId), lines);
    }
    case "transactions.removeAll": {
      const person = await findByEmail(ctx, change.args.email);
      if (person === null) throw appError("USER_NOT_FOUND");
      // Approved later, it takes only the rows that existed when it was requested; the line counts those.
      const madeUntilMs = ctx.approval?._creationTime;
      const { allCents, waitingCents } = await rowSums(ctx, person._id, madeUntilMs);
      const [all, waiting] = [allCents, waitingCents].map(formatUsd);
      return about(change, person, [
        `Every transaction made before this request: ${all} in and out together, ${waiting} of it still pending`,
        "Transfers to and from others are reversed on both sides",
      ]);
    }
    case "user.setRole":
      return await ofRole(ctx, change);
    case "identity.set":
      return await ofIdentity(ctx, change);
    case "user.resetPassword": {
      const person = await getUser(ctx, change.args.userId);
      const hasAdminRole = person.role === "admin";
      const expected = { isAdmin: hasAdminRole, credential: await credentialOf(ctx, person) };
      return about({ ...change, args: { ...change.args, expected } }, person, [
        ...(hasAdminRole ? ["Is an administrator"] : []),
        "Gets a one-time password",
        `Reason: ${change.args.reason}`,
      ]);
    }
    case "policy.set": {
      const args = policyChange(change.args.key, change.args.value);
      const now = JSON.stringify(await policyValue(ctx, args.key));
      const [before, after] = [now, args.value].map((value) => policyValueText(args.key, value));
      return {
        change: { ...change, args },
        person: null,
        targetLabel: policyTitle(args.key),
        lines: [`From "${before}" to "${after}"`],
      };
    }
  }
}

const dayOf = (atMs: number): string => dateLabel(dateOf(atMs));

const about = (change: WaitingChange, person: Doc<"users">, lines: string[]): Summary => ({
  change,
  person,
  targetLabel: person.email,
  lines,
});

async function ofAccountUpdate(ctx: QueryCtx, change: Change<"account.update">): Promise<Summary> {
  const { accountId, expected: seen } = change.args;
  const account = await findById(ctx, "accounts", accountId);
  if (account === null) throw appError("ACCOUNT_NOT_FOUND");
  const person = await getUser(ctx, account.userId);
  const edited = shapedEdit(account, change.args);
  judge(ACCOUNT_EDIT_RULES, edited, account);
  const reason = shapeText(change.args.reason ?? "");
  const pairs = [
    ["Balance", formatUsd(account.balanceCents), formatUsd(edited.balanceCents)],
    ["Available", formatUsd(account.availableCents), formatUsd(edited.availableCents)],
    ["Account number", account.accountNumber, edited.accountNumber],
    ["Routing number", account.routingNumber, edited.routingNumber],
  ] as const;
  const lines = pairs
    .filter(([, before, after]) => before !== after)
    .map(([name, before, after]) => `${name} from ${before} to ${after}`);
  if (reason !== "") lines.push(`Reason: ${reason}`);
  if (!isPlainText(reason, SHORT_TEXT_LENGTH_MAX)) throw appError("INVALID_TEXT");
  const expected = editedPart(account);
  // The lines describe a change from these values and no others.
  if (seen !== undefined && !isSame(seen, expected)) throw appError("STALE_EDIT");
  return {
    change: { ...change, args: { accountId, ...edited, expected, reason } },
    person,
    targetLabel: `${account.type} of ${person.email}`,
    lines,
  };
}

async function ofIdentity(
  ctx: QueryCtx & Approval,
  change: Change<"identity.set">,
): Promise<Summary> {
  const person = await getUser(ctx, change.args.userId);
  const { before, after, reason } = await judgedChange(ctx, person, change.args);
  const lines = [
    ...(after.name === before.name ? [] : [`Name from ${before.name} to ${after.name}`]),
    ...(after.email === before.email ? [] : [`Email from ${before.email} to ${after.email}`]),
    `Reason: ${reason}`,
  ];
  return about({ ...change, args: { ...change.args, ...after, reason } }, person, lines);
}

/**
 * Whoever knows an administrator's password can act as one, so the second administrator reads who let the person in
 * and who gave them a password. While a given password is still in use, the change cannot be requested.
 */
async function ofRole(ctx: QueryCtx, change: Change<"user.setRole">): Promise<Summary> {
  const person = await getUser(ctx, change.args.userId);
  if (change.args.role === "user") return about(change, person, ["Becomes a member"]);
  const { createdBy, approvedBy, passwordGiven, disabledAt } = person;
  const isGivenInUse = person.mustChangePassword === true || (await hasGivenPassword(ctx, person));
  if (isGivenInUse) throw appError("PASSWORD_NOT_CHANGED");
  const lines = ["Becomes an administrator"];
  if (createdBy !== undefined) lines.push(`Created by ${createdBy}`);
  if (approvedBy !== undefined) {
    lines.push(`Applied on ${dayOf(person.createdAt)}, approved by ${approvedBy}`);
  }
  if (passwordGiven !== undefined) {
    const { by, at } = passwordGiven;
    lines.push(`Given a password by ${by}, ${dayOf(at)} ${timeOf(at)}; changed since then`);
  }
  if (disabledAt !== undefined) lines.push("Cannot sign in: disabled");
  return about(change, person, lines);
}

async function ofRows(ctx: QueryCtx, change: Change<"transactions.add">): Promise<Summary> {
  const { userId, updateBalance, requestKey, fileHash } = change.args;
  judgeRequestKey(requestKey);
  const person = await getUser(ctx, userId);
  const rows = shapedRows(change.args.rows);
  judgeRows(rows, Date.now());
  judgeFileHash(fileHash);
  const added = fileHash === undefined ? null : await findAddedFile(ctx, person._id, fileHash);
  const warning = added === null ? [] : [`This file was already added on ${dayOf(added.at)}`];
  const lines = rows.slice(0, ROWS_NAMED_MAX).map(rowLine);
  const unnamed = rows.length - lines.length;
  if (unnamed > 0) lines.push(`and ${plural(unnamed, "more row")}`);
  const posted = rows.filter((row) => isPosted(row, updateBalance));
  const shaped = { ...change, args: { ...change.args, rows } };
  return about(shaped, person, [...warning, ...lines, ...totalLines(posted)]);
}

/** What the rows do to each account, so that nobody has to total, or take on trust, those that are not named. */
function totalLines(
  rows: readonly Pick<Doc<"transactions">, "accountType" | "type" | "amountCents">[],
  { isTakenBack = false } = {},
): string[] {
  if (rows.length === 0) return ["Changes no balance"];
  return ACCOUNT_TYPES.flatMap((accountType) => {
    const own = rows.filter((row) => row.accountType === accountType);
    const sumOf = (type: "credit" | "debit") =>
      sumCents(own.filter((row) => row.type === type).map((row) => row.amountCents));
    const [credits, debits] = [sumOf("credit"), sumOf("debit")];
    const [added, taken] = isTakenBack ? [debits, credits] : [credits, debits];
    if (taken === 0n) return added === 0n ? [] : [`Adds ${formatUsd(added)} to ${accountType}`];
    if (added === 0n) return [`Takes ${formatUsd(taken)} from ${accountType}`];
    return [`Adds ${formatUsd(added)} to ${accountType} and takes ${formatUsd(taken)} from it`];
  });
}

function rowLine(
  row: Pick<
    Doc<"transactions">,
    "accountType" | "type" | "amountCents" | "description" | "date" | "status"
  >,
): string {
  const amount = formatSignedUsd(signedCents(row.type, row.amountCents));
  return `${amount} ${row.accountType}, ${dayOf(row.date)}, ${row.status}: ${row.description}`;
}
