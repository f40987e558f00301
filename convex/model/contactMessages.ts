/** Contact messages: receiving them from the public form, showing them to admins. */
import type { PaginationOptions } from "convex/server";
import type { Id } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { canonicalEmail } from "../shared/email";
import { appError } from "../shared/errors";
import {
  CONTACTS_PER_ADDRESS_PER_HOUR_MAX,
  CONTACTS_PER_EMAIL_PER_DAY_MAX,
  MS,
} from "../shared/limits";
import { withoutInvisible } from "../shared/plainText";
import { CONTACT_RULES, contactCommand, type ContactDraft } from "../shared/rules/contact";
import type { Caller } from "./access";
import * as audit from "./audit";
import { randomBelow } from "./crypto";
import { judge } from "./judge";
import { addressKeys, takeAddressToken, takeToken } from "./limits";
import { judgeRequestKey } from "./requests";

/** Letters and digits that cannot be mistaken for one another when read out. */
const REFERENCE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const REFERENCE_LENGTH = 8;

type Message = ReturnType<typeof contactCommand.parse>;
/** What the sender wrote. */
const MESSAGE_FIELDS = Object.keys(contactCommand.shape) as (keyof Message)[];

function newReference(): string {
  const letter = (): string => REFERENCE_ALPHABET[randomBelow(REFERENCE_ALPHABET.length)] ?? "";
  return `C-${Array.from({ length: REFERENCE_LENGTH }, letter).join("")}`;
}

async function isReferenceTaken(ctx: QueryCtx, reference: string): Promise<boolean> {
  const found = await ctx.db
    .query("contactMessages")
    .withIndex("by_reference", (q) => q.eq("reference", reference))
    .first();
  return found !== null;
}

/**
 * The reference of the message that was sent with this key before, or null.
 * @throws AppError INVALID_TEXT (no key), REQUEST_KEY_REUSED (it was another message)
 */
async function findSent(
  ctx: QueryCtx,
  message: Message,
  requestKey: string,
): Promise<string | null> {
  judgeRequestKey(requestKey);
  const earlier = await ctx.db
    .query("contactMessages")
    .withIndex("by_requestKey", (q) => q.eq("requestKey", requestKey))
    .first();
  if (earlier === null) return null;
  const isSame = MESSAGE_FIELDS.every((field) => earlier[field] === message[field]);
  if (!isSame) throw appError("REQUEST_KEY_REUSED");
  return earlier.reference;
}

/**
 * Stores a message and returns its reference number; the one it has already if it is sent again with its key. Nobody is
 * signed in, so the keys are not those of a person (model/requests).
 * @throws AppError FILL_REQUIRED_FIELDS, INVALID_EMAIL, INVALID_TEXT, REQUEST_KEY_REUSED, RATE_LIMITED
 */
export async function receive(
  ctx: MutationCtx,
  draft: ContactDraft,
  requestKey: string | undefined,
): Promise<string> {
  judge(CONTACT_RULES, draft, undefined);
  const message = contactCommand.parse(draft);
  const earlier = requestKey === undefined ? null : await findSent(ctx, message, requestKey);
  if (earlier !== null) return earlier;
  const networks = await addressKeys(ctx);
  const isFree =
    (await takeAddressToken(ctx, networks, {
      name: "contactHour",
      max: CONTACTS_PER_ADDRESS_PER_HOUR_MAX,
      windowMs: MS.HOUR_MS,
    })) &&
    (await takeToken(ctx, {
      name: "contactDay",
      // With the address: anybody may enter any e-mail in the form, and would use up its owner's share.
      key: `${networks[0] ?? ""} ${canonicalEmail(draft.email)}`,
      max: CONTACTS_PER_EMAIL_PER_DAY_MAX,
      windowMs: MS.DAY_MS,
    }));
  if (!isFree) throw appError("RATE_LIMITED");
  let reference = newReference();
  while (await isReferenceTaken(ctx, reference)) reference = newReference();
  await ctx.db.insert("contactMessages", {
    ...message,
    reference,
    createdAt: Date.now(),
    isHandled: false,
    ...(requestKey === undefined ? {} : { requestKey }),
  });
  return reference;
}

/** The beginning of a reference as stored, from what was typed of it: "c 7k9m" is "C-7K9M", and so is "7k9m". */
function referencePrefix(typed: string): string {
  const text = withoutInvisible(typed).trim().toUpperCase();
  const letters = text.replace(/[\s-]+/g, "");
  if (letters === "") return "";
  const hasMark = /^C[\s-]/.test(text) || letters.length > REFERENCE_LENGTH;
  return `C-${hasMark ? letters.replace(/^C/, "") : letters}`;
}

/**
 * A page of messages for admins, newest first: all, or those that are open or handled. With `reference`, those whose
 * reference begins with it, whatever their state.
 */
export async function page(
  ctx: QueryCtx,
  filter: { isHandled?: boolean | undefined; reference?: string | undefined },
  options: PaginationOptions,
) {
  const messages = ctx.db.query("contactMessages");
  const { isHandled } = filter;
  const prefix = referencePrefix(filter.reference ?? "");
  if (prefix !== "") {
    const range = messages.withIndex("by_reference", (q) =>
      q.gte("reference", prefix).lt("reference", `${prefix}~`),
    );
    return await range.paginate(options);
  }
  if (isHandled === undefined) return await messages.order("desc").paginate(options);
  return await messages
    .withIndex("by_isHandled", (q) => q.eq("isHandled", isHandled))
    .order("desc")
    .paginate(options);
}

/**
 * Marks a message as handled or open again. Audited. One that is so already stays with whoever handled it.
 * @throws AppError NOT_FOUND
 */
export async function setHandled(
  ctx: MutationCtx & Caller,
  messageId: Id<"contactMessages">,
  isHandled: boolean,
): Promise<void> {
  const message = await ctx.db.get("contactMessages", messageId);
  if (message === null) throw appError("NOT_FOUND");
  if (message.isHandled === isHandled) return;
  await ctx.db.patch("contactMessages", messageId, {
    isHandled,
    handledBy: isHandled ? ctx.user.email : undefined,
  });
  await audit.append(ctx, {
    actor: ctx.user,
    action: "inbox.setHandled",
    targetLabel: message.reference,
    before: { isHandled: message.isHandled },
    after: { isHandled },
  });
}
