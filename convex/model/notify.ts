/**
 * Notifies people, in the portal and by e-mails in the outbox, within the mutation that is the
 * cause.
 *
 * Not here: delivery of e-mails (model/outbox).
 */
import type { Doc, Id } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import { INSTITUTION } from "../shared/institution";
import { displayName } from "../shared/names";
import { isAccepted } from "../shared/roles";

/** One item of the bell. `kind` picks its icon, e.g. "transfer", "registration". */
export type Notice = { readonly kind: string; readonly title: string; readonly body: string };

/** Adds a notification to a person's bell. */
export async function notify(ctx: MutationCtx, userId: Id<"users">, notice: Notice): Promise<void> {
  await ctx.db.insert("notifications", {
    userId,
    ...notice,
    createdAt: Date.now(),
    isRead: false,
  });
}

/** An e-mail to a person. */
export type Mail = { readonly subject: string; readonly text: string };

/**
 * Puts an e-mail to a person into the outbox, with greeting and signature.
 *
 * Security: by name only once somebody has checked it. Anybody may apply with another one's e-mail, and a name such as
 * "you won, see evil.example" would reach them from us.
 */
export async function mail(ctx: MutationCtx, person: Doc<"users">, message: Mail): Promise<void> {
  const nowMs = Date.now();
  const greeting = isAccepted(person) ? `Hello ${displayName(person)}` : "Hello";
  const body = `${greeting},\n\n${message.text}\n\n${INSTITUTION.fullName}\n${INSTITUTION.supportEmail}\n`;
  await ctx.db.insert("outbox", {
    userId: person._id,
    to: person.email,
    subject: message.subject,
    body,
    status: "queued",
    attempts: 0,
    createdAt: nowMs,
    nextAttemptAt: nowMs,
  });
}
