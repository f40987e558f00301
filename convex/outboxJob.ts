/**
 * Delivers the outbox through the configured mail provider. For the cron, once a minute.
 *
 * Without a provider nothing is tried and e-mails stay queued, where admins can read them.
 */
import { v } from "convex/values";
import { internal } from "./_generated/api";
import type { Doc } from "./_generated/dataModel";
import { internalAction, internalMutation } from "./functions";
import { mailProvider } from "./model/env";
import * as outbox from "./model/outbox";
import { INSTITUTION } from "./shared/institution";
import { MS, OUTBOX_BATCH_MAX, OUTBOX_TIMEOUT_MS } from "./shared/limits";

const vClaimedMail = v.object({
  _id: v.id("outbox"),
  to: v.string(),
  subject: v.string(),
  body: v.string(),
});

/** Takes what is due. */
export const claim = internalMutation({
  args: {},
  returns: v.array(vClaimedMail),
  handler: async (ctx) => {
    const due = await outbox.claimDue(ctx, Date.now());
    return due.map(({ _id, to, subject, body }) => ({ _id, to, subject, body }));
  },
});

/** Records how one delivery went; `error` null means sent. */
export const settle = internalMutation({
  args: { mailId: v.id("outbox"), error: v.union(v.string(), v.null()) },
  returns: v.null(),
  handler: async (ctx, { mailId, error }) => {
    await outbox.settle(ctx, mailId, error);
    return null;
  },
});

type ClaimedMail = Pick<Doc<"outbox">, "_id" | "to" | "subject" | "body">;

/** Hands one e-mail to the provider. Returns null, or why it failed. */
async function send(
  provider: { url: string; apiKey: string },
  mail: ClaimedMail,
): Promise<string | null> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), OUTBOX_TIMEOUT_MS);
  try {
    const response = await fetch(provider.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${provider.apiKey}`,
        // A retried e-mail is the same e-mail to the provider.
        "Idempotency-Key": mail._id,
      },
      body: JSON.stringify({
        from: INSTITUTION.supportEmail,
        to: [mail.to],
        subject: mail.subject,
        text: mail.body,
      }),
      signal: giveUp.signal,
    });
    return response.ok ? null : `The provider answered ${response.status}`;
  } catch {
    return giveUp.signal.aborted
      ? "The provider did not answer in time"
      : "The provider could not be reached";
  } finally {
    clearTimeout(timer);
  }
}

/** Delivers what is due, one by one, for a minute: then the next run goes on. Returns how many were sent. */
export const deliver = internalAction({
  args: {},
  returns: v.number(),
  handler: async (ctx): Promise<number> => {
    const provider = mailProvider();
    if (provider === null) return 0;
    const untilMs = Date.now() + MS.MINUTE_MS;
    let sentCount = 0;
    for (;;) {
      const due: ClaimedMail[] = await ctx.runMutation(internal.outboxJob.claim, {});
      for (const mail of due) {
        const error = await send(provider, mail);
        await ctx.runMutation(internal.outboxJob.settle, { mailId: mail._id, error });
        if (error === null) sentCount += 1;
      }
      if (due.length < OUTBOX_BATCH_MAX || Date.now() >= untilMs) return sentCount;
    }
  },
});
