/**
 * The product's own ledger check, on what commits wrote: each document that was written and each whose
 * verdict hangs on one, as it was or as it is. What they say of a document depends on it and on its
 * sources alone, so whatever no commit has touched stays as good as it was. Two things go beyond it: a
 * journal never changes, and a balance is the sum of all postings ever seen, counted here.
 *
 * Not here: the totals of an account's month, which take its whole month to read: the full check, which
 * proves those and, once more, everything else (invariants).
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

/** What is written once and never again. */
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

/** Beside a document itself, whose verdict hangs on it: the table, and the field with the id. */
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
  /** What is to be looked at, by table. */
  private readonly due = new Map<string, Set<string>>();
  private readonly sums = new Map<string, bigint>();
  private readonly balances = new Map<string, bigint>();

  /** Takes note of changes that became durable together. Answers what is wrong with them alone. */
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

  /** What the product's check says of all that was taken since the last call. */
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
