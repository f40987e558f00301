/**
 * The product's own ledger check, applied to what commits wrote: each document written, and each whose check
 * depends on one, before or after. A check's result depends only on the document and its sources, so
 * documents that no commit has touched stay valid. Two checks are added here: a journal never changes, and a
 * balance is the sum of all postings ever seen.
 *
 * Not here: the monthly totals of an account, which require its whole month: the full check covers those and,
 * once more, everything else (invariants).
 */
import { jsonToConvex, type JSONValue } from "convex/values";
import type { Id, TableNames } from "../../../convex/_generated/dataModel";
import type { QueryCtx } from "../../../convex/_generated/server";
import {
  checkAccount,
  checkJournal,
  checkPerson,
  checkPosting,
  checkRequest,
  checkRow,
  type Problem,
} from "../../../convex/model/ledgerCheck";
import type { DocumentValue } from "../../../embedded/db/types";
import type { Change } from "./mirror";

const decoded = (json: string): DocumentValue =>
  jsonToConvex(JSON.parse(json) as JSONValue) as DocumentValue;

/** Tables whose documents are written once and never changed. */
const FINAL_TABLES: ReadonlySet<string> = new Set(["journals", "postings"]);

type Checker = (ctx: QueryCtx, id: string) => Promise<Problem[]>;

function checkerOf<T extends TableNames>(
  table: T,
  check: (ctx: QueryCtx, doc: never, tally: { sources: number }) => Promise<Problem[]>,
): Checker {
  return async (ctx, id) => {
    const doc = await ctx.db.get(table, id as Id<T>);
    return doc === null ? [] : await check(ctx, doc as never, { sources: 0 });
  };
}

const CHECKERS: Readonly<Record<string, Checker>> = {
  journals: checkerOf("journals", checkJournal),
  postings: checkerOf("postings", checkPosting),
  accounts: checkerOf("accounts", checkAccount),
  transactions: checkerOf("transactions", checkRow),
  users: checkerOf("users", checkPerson),
  requests: checkerOf("requests", checkRequest),
};

/**
 * The documents whose check depends on a document of a table, besides itself: their table, and the field with
 * its id.
 */
const DEPENDENTS: Readonly<Record<string, readonly (readonly [table: string, field: string])[]>> = {
  postings: [
    ["journals", "journalId"],
    ["accounts", "accountId"],
  ],
  accountMonths: [["accounts", "accountId"]],
  transactions: [
    ["users", "userId"],
    ["journals", "journalId"],
    ["journals", "reversalId"],
  ],
  transfers: [["users", "userId"]],
  pendingTotals: [["users", "userId"]],
};

export class LedgerChecks {
  /** Documents to check, by table. */
  private readonly due = new Map<string, Set<string>>();
  private readonly sums = new Map<string, bigint>();
  private readonly balances = new Map<string, bigint>();

  /** Records changes that became durable together. Returns the problems visible in them alone. */
  take(changes: readonly Change[]): Problem[] {
    const problems: Problem[] = [];
    for (const { table, id, value, before } of changes) {
      if (FINAL_TABLES.has(table) && before !== null) problems.push(`${table} ${id} has changed`);
      this.mark(table, id);
      for (const [other, field] of DEPENDENTS[table] ?? []) {
        this.mark(other, value?.[field]);
        if (before !== null) this.mark(other, decoded(before)[field]);
      }
      if (table === "accounts") this.balances.set(id, (value?.balanceCents ?? 0n) as bigint);
      if (table === "postings" && value !== null) this.count(value);
    }
    return [...problems, ...this.wrongBalances()];
  }

  /** Runs the product's check on everything recorded since the last call. */
  async judge(ctx: QueryCtx): Promise<Problem[]> {
    const problems: Problem[] = [];
    for (const [table, ids] of this.due) {
      const check = CHECKERS[table];
      if (check === undefined) continue;
      for (const id of ids) problems.push(...(await check(ctx, id)));
    }
    this.due.clear();
    return problems;
  }

  private mark(table: string, id: unknown): void {
    if (typeof id !== "string") return;
    let ids = this.due.get(table);
    if (ids === undefined) this.due.set(table, (ids = new Set<string>()));
    ids.add(id);
  }

  private count({ accountId, amountCents }: DocumentValue): void {
    if (typeof accountId !== "string") return;
    this.sums.set(accountId, (this.sums.get(accountId) ?? 0n) + (amountCents as bigint));
  }

  private wrongBalances(): Problem[] {
    return [...this.balances]
      .filter(([id, cents]) => cents !== (this.sums.get(id) ?? 0n))
      .map(([id, cents]) => `account ${id} shows ${cents}, its postings are ${this.sums.get(id)}`);
  }
}
