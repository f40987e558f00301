/**
 * The e-mail outbox: claiming what is due, recording how it went, pages for admins, sending again what failed.
 *
 * Written by model/notify; delivered by the outbox job when a provider is configured.
 */
import type { PaginationOptions } from "convex/server";
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { appError } from "../shared/errors";
import {
  OUTBOX_ATTEMPTS_MAX,
  OUTBOX_BATCH_MAX,
  OUTBOX_RETRY_MAX_MS,
  OUTBOX_RETRY_MIN_MS,
} from "../shared/limits";
import type { OutboxStatus } from "../shared/validators";
import { CORRECTION_MAX_MS } from "../shared/waits";
import type { Caller } from "./access";
import * as audit from "./audit";

/** Wait before the next attempt: doubles from one minute to six hours. */
function retryDelayMs(attempts: number): number {
  return Math.min(OUTBOX_RETRY_MAX_MS, OUTBOX_RETRY_MIN_MS * 2 ** Math.max(0, attempts - 1));
}

/** E-mails to try now; also those put off further than any is: the clock was set back since. */
async function findDue(ctx: MutationCtx, nowMs: number): Promise<Doc<"outbox">[]> {
  const due = await ctx.db
    .query("outbox")
    .withIndex("by_status_and_nextAttemptAt", (q) =>
      q.eq("status", "queued").lte("nextAttemptAt", nowMs),
    )
    .take(OUTBOX_BATCH_MAX);
  if (due.length === OUTBOX_BATCH_MAX) return due;
  const latestMs = nowMs + OUTBOX_RETRY_MAX_MS + CORRECTION_MAX_MS;
  const ahead = await ctx.db
    .query("outbox")
    .withIndex("by_status_and_nextAttemptAt", (q) =>
      q.eq("status", "queued").gt("nextAttemptAt", latestMs),
    )
    .take(OUTBOX_BATCH_MAX - due.length);
  return [...due, ...ahead];
}

/**
 * Takes due e-mails for delivery. Each is put off as if this attempt had failed, so that a crash in
 * between means a retry, not a loss.
 */
export async function claimDue(ctx: MutationCtx, nowMs: number): Promise<Doc<"outbox">[]> {
  const due = await findDue(ctx, nowMs);
  for (const mail of due) {
    const attempts = mail.attempts + 1;
    await ctx.db.patch("outbox", mail._id, {
      attempts,
      nextAttemptAt: nowMs + retryDelayMs(attempts),
    });
  }
  return due;
}

/** Records how a delivery went; `error` null means sent. After the last attempt it is marked failed. */
export async function settle(
  ctx: MutationCtx,
  mailId: Id<"outbox">,
  error: string | null,
): Promise<void> {
  const mail = await ctx.db.get("outbox", mailId);
  if (mail === null || mail.status !== "queued") return;
  if (error === null) {
    await ctx.db.patch("outbox", mailId, { status: "sent", sentAt: Date.now() });
    return;
  }
  await ctx.db.patch("outbox", mailId, {
    lastError: error,
    ...(mail.attempts >= OUTBOX_ATTEMPTS_MAX ? { status: "failed" as const } : {}),
  });
}

/** A page of e-mails for admins, newest first; of one status, those that were tried last come first. */
export async function page(
  ctx: QueryCtx,
  status: OutboxStatus | undefined,
  options: PaginationOptions,
) {
  const mails = ctx.db.query("outbox");
  if (status === undefined) return await mails.order("desc").paginate(options);
  return await mails
    .withIndex("by_status_and_nextAttemptAt", (q) => q.eq("status", status))
    .order("desc")
    .paginate(options);
}

/** True for a failed e-mail to an address that is no longer the person's: staff should know before it is sent again. */
export async function isToFormerAddress(
  ctx: QueryCtx,
  { status, userId, to }: Doc<"outbox">,
): Promise<boolean> {
  if (status !== "failed" || userId === undefined) return false;
  return (await ctx.db.get("users", userId))?.email !== to;
}

/**
 * Queues a failed e-mail as if it were new, to the address it was written to. Does nothing to one that has not failed.
 * @throws AppError NOT_FOUND
 */
export async function sendAgain(ctx: MutationCtx & Caller, mailId: Id<"outbox">): Promise<void> {
  const mail = await ctx.db.get("outbox", mailId);
  if (mail === null) throw appError("NOT_FOUND");
  const { status, attempts, to, subject, userId } = mail;
  if (status !== "failed") return;
  await ctx.db.patch("outbox", mailId, {
    status: "queued",
    attempts: 0,
    nextAttemptAt: Date.now(),
    lastError: undefined,
  });
  await audit.append(ctx, {
    actor: ctx.user,
    action: "outbox.sendAgain",
    targetLabel: to,
    ...(userId === undefined ? {} : { personId: userId }),
    before: { status, attempts },
    after: { status: "queued", attempts: 0, subject },
  });
}
