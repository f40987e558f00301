/**
 * The audit log: who, when, what, before, after, why. Appended in the same transaction as the
 * change; never edited or deleted.
 *
 * Security: no secrets (codes, passwords, tokens) in `before`, `after` or `reason`.
 */
import type { PaginationOptions } from "convex/server";
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { linkAfter, linkProblem } from "./chains";
import { addressKeys } from "./limits";
import type { Approval } from "./secondAdmin";

/** One entry. `actor` is absent for the institution's own jobs and for operators. */
export type AuditEntry = {
  readonly actor?: Doc<"users">;
  /** Who acted, if not a portal user; by default the system itself. */
  readonly actorName?: string;
  /** Dotted, e.g. "registration.approve". */
  readonly action: string;
  /** What a reader recognises the target by: an e-mail, "Checking of …", a policy's key. */
  readonly targetLabel: string;
  readonly personId?: Id<"users">;
  readonly accountId?: Id<"accounts">;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly reason?: string;
  /** E-mail of the administrator who requested what the actor approved or refused. */
  readonly requestedBy?: string;
};

/** Cents as text: JSON has no integers of that size. */
const asJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? part.toString() : part,
  );

/** Appends one entry, in the transaction of the change that it is about. */
export async function append(ctx: MutationCtx & Approval, entry: AuditEntry): Promise<void> {
  const { actor, actorName, action, targetLabel, personId, accountId, before, after, reason } =
    entry;
  const requestedBy = entry.requestedBy ?? ctx.approval?.requestedByEmail;
  const [from] = await addressKeys(ctx);
  const fields = {
    at: Date.now(),
    actorEmail: actor?.email ?? actorName ?? "system",
    action,
    targetLabel,
    ...(actor === undefined ? {} : { actorId: actor._id }),
    ...(personId === undefined ? {} : { personId }),
    ...(accountId === undefined ? {} : { accountId }),
    ...(before === undefined ? {} : { before: asJson(before) }),
    ...(after === undefined ? {} : { after: asJson(after) }),
    ...(reason === undefined ? {} : { reason }),
    ...(requestedBy === undefined ? {} : { requestedBy }),
    ...(from === undefined ? {} : { addressKey: from }),
  };
  const newestOfChain = await ctx.db
    .query("auditLog")
    .withIndex("by_actorId_and_seq", (q) => q.eq("actorId", actor?._id))
    .order("desc")
    .first();
  await ctx.db.insert("auditLog", { ...fields, ...linkAfter(newestOfChain, fields) });
}

/** True when the action was carried out at least once. */
export async function hasEntry(ctx: QueryCtx, action: string): Promise<boolean> {
  const entries = ctx.db.query("auditLog").withIndex("by_action", (q) => q.eq("action", action));
  return (await entries.first()) !== null;
}

/** What is wrong with an entry's place in its actor's chain. */
export async function checkEntry(ctx: QueryCtx, entry: Doc<"auditLog">): Promise<string[]> {
  const problem = await linkProblem(entry, (seq) =>
    ctx.db
      .query("auditLog")
      .withIndex("by_actorId_and_seq", (q) => q.eq("actorId", entry.actorId).eq("seq", seq))
      .take(2),
  );
  return problem === null ? [] : [`audit entry ${entry._id} ${problem}`];
}

/** The filters for a page of the log. */
type AuditFilter = {
  readonly personId?: Id<"users">;
  readonly accountId?: Id<"accounts">;
  readonly action?: string;
  readonly actorId?: Id<"users">;
};

/** By creation, not by `at`: a clock may be set back. */
function newestFirst(ctx: QueryCtx, filter: AuditFilter) {
  const { personId, accountId, action, actorId } = filter;
  const log = ctx.db.query("auditLog");
  if (accountId !== undefined) {
    return log.withIndex("by_accountId", (q) => q.eq("accountId", accountId)).order("desc");
  }
  if (personId !== undefined) {
    return log.withIndex("by_personId", (q) => q.eq("personId", personId)).order("desc");
  }
  if (actorId !== undefined) {
    return log.withIndex("by_actorId_and_seq", (q) => q.eq("actorId", actorId)).order("desc");
  }
  if (action !== undefined) {
    return log.withIndex("by_action", (q) => q.eq("action", action)).order("desc");
  }
  return log.order("desc");
}

/**
 * A page of entries, newest first. The most selective filter is read by index; the others thin out
 * the page, which may then hold fewer rows than requested.
 */
export async function page(ctx: QueryCtx, filter: AuditFilter, options: PaginationOptions) {
  const found = await newestFirst(ctx, filter).paginate(options);
  const isWanted = (entry: Doc<"auditLog">): boolean =>
    (filter.personId === undefined || entry.personId === filter.personId) &&
    (filter.accountId === undefined || entry.accountId === filter.accountId) &&
    (filter.actorId === undefined || entry.actorId === filter.actorId) &&
    (filter.action === undefined || entry.action === filter.action);
  return { ...found, page: found.page.filter(isWanted) };
}
