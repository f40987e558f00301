/**
 * Changes awaiting a second administrator: requested by one, decided by another.
 *
 * A request keeps the arguments of the change; approving carries the change out as it would have been
 * then, with all its own refusals. Not here: when a second administrator is needed (model/secondAdmin).
 */
import type { PaginationOptions } from "convex/server";
import type { Doc, Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { changeTitle } from "../shared/changeTitles";
import { appError } from "../shared/errors";
import type { WaitingChange } from "../shared/moneyChanges";
import type { Caller } from "./access";
import { editAccount } from "./accountEdits";
import { resetPassword, setRole } from "./adminUsers";
import { addMany, getTransaction } from "./adminPostings";
import { summaryOf, type Summary } from "./approvalSummary";
import * as audit from "./audit";
import { findById } from "./byId";
import { setIdentity } from "./identity";
import { startRemoval } from "./removalJob";
import { messageOf } from "./messages";
import { notify } from "./notify";
import * as policies from "./policies";
import { refuseOwnMoney, removeOne, removeWholeBatch } from "./removals";
import { waitingAbout, WAITING_ABOUT_ONE_MAX } from "./secondAdmin";
import type { StaffCtx } from "./staffActs";
import { isActingAdmin } from "./standing";
import { hasKeptRole, hasKeptStanding, listAdmins } from "./users";

const REPLACED = "Replaced by a newer request";

const isReset = ({ change }: Doc<"approvals">): boolean => change.kind === "user.resetPassword";

/**
 * Stores a change for a second administrator and tells the others. If the same administrator asks again, it
 * is the same request.
 * @throws AppError those of `summaryOf` (nothing to change, lines that could mislead), OWN_ACCOUNT_FORBIDDEN
 *   (the caller's own money), APPROVALS_FULL (20 already waiting about this person)
 */
export async function request(ctx: StaffCtx, wanted: WaitingChange): Promise<Id<"approvals">> {
  const { person, targetLabel, lines, change } = await summaryOf(ctx, wanted);
  if (change.kind === "transactions.remove") {
    await refuseOwnMoney(ctx, await getTransaction(ctx, change.args.transactionId));
  }
  if (person?._id === ctx.user._id) throw appError("OWN_ACCOUNT_FORBIDDEN");
  const waiting = await waitingAbout(ctx, person?._id);
  // With two one-time passwords for one person, nobody could tell which one was passed on.
  const replaced = change.kind === "user.resetPassword" ? waiting.filter(isReset) : [];
  for (const approval of replaced) await refuse(ctx, approval, REPLACED);
  const earlier = findTwin(ctx, waiting, { change, lines, person });
  if (earlier !== undefined) return earlier._id;
  if (waiting.length - replaced.length >= WAITING_ABOUT_ONE_MAX) throw appError("APPROVALS_FULL");
  const personId = person === null ? {} : { personId: person._id };
  const approvalId = await ctx.db.insert("approvals", {
    change,
    targetLabel,
    lines,
    ...personId,
    requestedBy: ctx.user._id,
    requestedByEmail: ctx.user.email,
    requestedAt: Date.now(),
    status: "waiting",
  });
  await audit.append(ctx, {
    actor: ctx.user,
    action: "approval.request",
    targetLabel,
    ...personId,
    after: { change: change.kind, lines },
  });
  for (const admin of await listAdmins(ctx)) {
    const isTold = isActingAdmin(admin) && admin._id !== ctx.user._id && admin._id !== person?._id;
    if (!isTold) continue;
    const asked = `${ctx.user.email} has requested it. See Approvals.`;
    await tell(ctx, admin._id, "A change is waiting for approval", asked);
  }
  return approvalId;
}

const tell = (ctx: StaffCtx, adminId: Id<"users">, title: string, body: string): Promise<void> =>
  notify(ctx, adminId, { kind: "staffChange", title, body });

const titleOf = ({ change, targetLabel }: Doc<"approvals">): string =>
  changeTitle(change.kind, targetLabel);

/** The caller's own waiting request for the very same change, if it still reads the same and can be approved. */
function findTwin(
  ctx: StaffCtx,
  waiting: readonly Doc<"approvals">[],
  { change, lines, person }: Pick<Summary, "change" | "lines" | "person">,
): Doc<"approvals"> | undefined {
  const text = textOf({ change, lines });
  return waiting.find(
    (other) =>
      other.requestedBy === ctx.user._id &&
      textOf({ change: other.change, lines: other.lines }) === text &&
      isUpToDate(other, ctx.user, person),
  );
}

/** Equal for equal requests, in whatever order a backend stores their fields. */
const textOf = (request: { change: WaitingChange; lines: readonly string[] }): string =>
  JSON.stringify(request, (_key, part: unknown) => {
    if (typeof part === "bigint") return `${part}n`;
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(
      Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  });

/** Waiting requests, of everyone or of one person, oldest first. */
export async function waitingPage(
  ctx: QueryCtx & Caller,
  personId: Id<"users"> | undefined,
  options: PaginationOptions,
) {
  const approvals = ctx.db.query("approvals");
  const waiting =
    personId === undefined
      ? approvals.withIndex("by_status_and_requestedAt", (q) => q.eq("status", "waiting"))
      : approvals.withIndex("by_personId_and_status", (q) =>
          q.eq("personId", personId).eq("status", "waiting"),
        );
  const found = await waiting.paginate(options);
  const admins = (await listAdmins(ctx)).filter(isActingAdmin);
  const page = found.page.map((approval) => ({
    _id: approval._id,
    kind: approval.change.kind,
    targetLabel: approval.targetLabel,
    lines: approval.lines,
    requestedBy: approval.requestedByEmail,
    requestedAt: approval.requestedAt,
    isOwn: approval.requestedBy === ctx.user._id,
    isAboutReader: approval.personId === ctx.user._id,
    hasDecider: admins.some(({ _id }) => _id !== approval.requestedBy && _id !== approval.personId),
  }));
  return { ...found, page };
}

/**
 * Carries out a waiting change. Returns the job to schedule when the change is a long one.
 * @throws AppError NOT_FOUND, APPROVAL_DECIDED, OWN_APPROVAL_FORBIDDEN, APPROVAL_OUTDATED (somebody's standing, or
 *   what the change is about, has changed since), then the refusals of the change itself
 */
export async function approve(ctx: StaffCtx, approvalId: string): Promise<Id<"jobs"> | null> {
  const approval = await getWaiting(ctx, approvalId);
  if (approval.requestedBy === ctx.user._id) throw appError("OWN_APPROVAL_FORBIDDEN");
  await refuseOutdated(ctx, approval);
  await decide(ctx, approval, "approved");
  await tell(ctx, approval.requestedBy, "Your change was approved", titleOf(approval));
  return await carryOut({ ...ctx, approval }, approval.change);
}

/**
 * Refuses a waiting change, or withdraws the caller's own; nothing else happens.
 * @throws AppError REASON_REQUIRED, INVALID_TEXT, NOT_FOUND, APPROVAL_DECIDED, OWN_ACCOUNT_FORBIDDEN (it is
 *   about the caller, and so somebody else's)
 */
export async function reject(ctx: StaffCtx, approvalId: string, reasonText: string): Promise<void> {
  const reason = messageOf(reasonText);
  const approval = await getWaiting(ctx, approvalId);
  if (approval.personId === ctx.user._id) throw appError("OWN_ACCOUNT_FORBIDDEN");
  await refuse(ctx, approval, reason);
}

async function refuse(ctx: StaffCtx, approval: Doc<"approvals">, reason: string): Promise<void> {
  await decide(ctx, approval, "rejected");
  await audit.append(ctx, {
    actor: ctx.user,
    action: "approval.reject",
    targetLabel: approval.targetLabel,
    ...(approval.personId === undefined ? {} : { personId: approval.personId }),
    before: { change: approval.change.kind, lines: approval.lines },
    requestedBy: approval.requestedByEmail,
    reason,
  });
  if (approval.requestedBy === ctx.user._id) return;
  const said = `${titleOf(approval)}: ${reason}`;
  await tell(ctx, approval.requestedBy, "Your change was refused", said);
}

/**
 * A stolen account may have requested anything, leaving only one pair of eyes: requests made before the account
 * was disabled, demoted or given a password are out of date, even once its owner is back. So is one to make somebody an
 * administrator if that happened to them, and one to take the role away from somebody who lost and regained it since.
 */
function isUpToDate(
  request: Doc<"approvals">,
  asker: Doc<"users">,
  person: Doc<"users"> | null,
): boolean {
  const { kind, args } = request.change;
  if (!hasKeptStanding(asker, request)) return false;
  if (kind !== "user.setRole" || person === null) return true;
  return (args.role === "admin" ? hasKeptStanding : hasKeptRole)(person, request);
}

async function refuseOutdated(ctx: QueryCtx, approval: Doc<"approvals">): Promise<void> {
  const { requestedBy, personId } = approval;
  const asker = await ctx.db.get("users", requestedBy);
  const person = personId === undefined ? null : await ctx.db.get("users", personId);
  if (asker === null || !isActingAdmin(asker) || !isUpToDate(approval, asker, person)) {
    throw appError("APPROVAL_OUTDATED");
  }
}

/** Each change writes its own audit entry, which names the requester. */
async function carryOut(ctx: StaffCtx, change: WaitingChange): Promise<Id<"jobs"> | null> {
  // These two carry the values they expect, and compare them themselves; an edit from an early version may have none.
  const comparesItself =
    change.kind === "user.resetPassword" ||
    (change.kind === "account.update" && change.args.expected !== undefined);
  if (!comparesItself) await refuseOutdatedLines(ctx, change);
  switch (change.kind) {
    case "account.update":
      await editAccount(ctx, change.args);
      return null;
    case "transactions.add":
      await addMany(ctx, change.args);
      return null;
    case "transactions.remove":
      await removeOne(ctx, change.args.transactionId);
      return null;
    case "transactions.removeBatch":
      await removeWholeBatch(ctx, change.args.batchId);
      return null;
    case "transactions.removeAll":
      return await startRemoval(ctx, change.args.email);
    case "policy.set":
      await policies.set(ctx, change.args.key, change.args.value);
      return null;
    case "user.setRole":
      await setRole(ctx, change.args.userId, change.args.role);
      return null;
    case "identity.set":
      await setIdentity(ctx, change.args);
      return null;
    case "user.resetPassword":
      await resetPassword(ctx, change.args);
      return null;
  }
}

/**
 * The request must read now as it read when it was made, about the same person: an e-mail may have come to belong to
 * somebody else.
 */
async function refuseOutdatedLines(ctx: StaffCtx, change: WaitingChange): Promise<void> {
  const { approval } = ctx;
  const { lines, targetLabel, person } = await summaryOf(ctx, change);
  const isSame =
    person?._id === approval?.personId &&
    targetLabel === approval?.targetLabel &&
    lines.join("\n") === approval.lines.join("\n");
  if (!isSame) throw appError("APPROVAL_OUTDATED");
}

async function decide(
  ctx: StaffCtx,
  approval: Doc<"approvals">,
  status: "approved" | "rejected",
): Promise<void> {
  const { change } = approval;
  await ctx.db.patch("approvals", approval._id, {
    // Once decided, the hash is of no further use.
    ...(change.kind === "user.resetPassword"
      ? { change: { ...change, args: { ...change.args, passwordHash: "" } } }
      : {}),
    status,
    decidedBy: ctx.user.email,
    decidedAt: Date.now(),
  });
}

async function getWaiting(ctx: StaffCtx, approvalId: string): Promise<Doc<"approvals">> {
  const approval = await findById(ctx, "approvals", approvalId);
  if (approval === null) throw appError("NOT_FOUND");
  if (approval.status !== "waiting") throw appError("APPROVAL_DECIDED");
  return approval;
}
