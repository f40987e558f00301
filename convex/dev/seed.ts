/**
 * First data of a deployment, real ones too: the first administrator, one-time codes; or the demo data set, and many
 * people for load tests. Internal functions only; the operator runs them with the deployment's key.
 *
 * None adds people once anybody is registered, except `large`, which adds people with the demo password to
 * whoever is there. Not here: the data itself (model/dev), the first administrator's record (model/operator).
 */
import { v } from "convex/values";
import { internal } from "../_generated/api";
import type { ActionCtx } from "../_generated/server";
import { internalAction, internalMutation, internalQuery } from "../functions";
import { hasEntry } from "../model/audit";
import { DEMO_CHECK_BACK, DEMO_CHECK_FRONT } from "../model/dev/demoChecks";
import { writeDemo } from "../model/dev/demoData";
import { DEMO_CODES, DEMO_PASSWORD } from "../model/dev/demoPeople";
import * as loadData from "../model/dev/loadData";
import { hashInTurn, NO_SENDER, randomPassword } from "../model/hashQueue";
import { writeAdmin } from "../model/operator";
import * as otpCodes from "../model/otpCodes";
import { hasAnybody } from "../model/users";
import { canonicalEmail, isEmail } from "../shared/email";
import { appError } from "../shared/errors";

const vDone = v.object({ isNew: v.boolean() });
const vStoredImage = v.object({ storageId: v.id("_storage"), sizeBytes: v.number() });

/** True when nobody is registered. */
export const isEmpty = internalQuery({
  args: {},
  returns: v.boolean(),
  handler: async (ctx) => !(await hasAnybody(ctx)),
});

/** True when the demo data set was written here: everybody knows its people's password. */
export const hasDemoPeople = internalQuery({
  args: {},
  returns: v.boolean(),
  handler: (ctx) => hasEntry(ctx, "demo.seed"),
});

/** Writes the demo data set unless somebody is registered. */
export const writeDemoData = internalMutation({
  args: { passwordHash: v.string(), front: vStoredImage, back: vStoredImage },
  returns: v.boolean(),
  handler: async (ctx, { passwordHash, ...checkImages }) => {
    if (await hasAnybody(ctx)) return false;
    await writeDemo(ctx, passwordHash, checkImages, Date.now());
    return true;
  },
});

/** Stores an image given in base64; mutations cannot. */
async function storeImage(ctx: ActionCtx, base64: string) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const storageId = await ctx.storage.store(new Blob([bytes], { type: "image/webp" }));
  return { storageId, sizeBytes: bytes.length };
}

/** The demo data set, for an empty database. Safe to run at every start. */
export const demo = internalAction({
  args: {},
  returns: vDone,
  handler: async (ctx): Promise<{ isNew: boolean }> => {
    if (!(await ctx.runQuery(internal.dev.seed.isEmpty, {}))) return { isNew: false };
    const passwordHash = await hashInTurn(DEMO_PASSWORD, NO_SENDER);
    const front = await storeImage(ctx, DEMO_CHECK_FRONT);
    const back = await storeImage(ctx, DEMO_CHECK_BACK);
    const data = { passwordHash, front, back };
    return { isNew: await ctx.runMutation(internal.dev.seed.writeDemoData, data) };
  },
});

/** Random one-time codes for a deployment that has none. Returns nothing secret. */
export const empty = internalMutation({
  args: {},
  returns: vDone,
  handler: async (ctx) => {
    if ((await otpCodes.listCodes(ctx)).length > 0) return { isNew: false };
    await otpCodes.addInitialCodes(ctx);
    return { isNew: true };
  },
});

/**
 * Replaces one-time codes that were sealed with keys now gone, and returns one of the new ones; null
 * when today's keys can read what there is.
 */
export const renewCodes = internalMutation({
  args: {},
  returns: v.union(v.null(), v.string()),
  handler: (ctx) => otpCodes.renewCodes(ctx),
});

/** Those of the demo data set's one-time codes, which everybody knows, that are still in the list. */
export const demoCodes = internalQuery({
  args: {},
  returns: v.array(v.string()),
  handler: async (ctx) => {
    const found = await Promise.all(DEMO_CODES.map((code) => otpCodes.findCode(ctx, code)));
    return DEMO_CODES.filter((_, at) => found[at] !== null);
  },
});

/** False when one-time codes were sealed with other keys: nobody could sign in. */
export const areCodesReadable = internalQuery({
  args: {},
  returns: v.boolean(),
  handler: (ctx) => otpCodes.areCodesReadable(ctx),
});

/** Writes the first administrator and returns one of the codes; null when somebody is registered. */
export const writeFirstAdmin = internalMutation({
  args: { email: v.string(), name: v.string(), passwordHash: v.string() },
  returns: v.union(v.null(), v.string()),
  handler: async (ctx, { email, name, passwordHash }) => {
    if (await hasAnybody(ctx)) return null;
    await writeAdmin(ctx, { email, name }, passwordHash, Date.now());
    return await otpCodes.anyCode(ctx);
  },
});

const PASSWORD_BYTES = 12;

/**
 * The first administrator of a deployment without demo data, with random one-time codes. Returns a
 * random password and one code, for the operator to sign in with once; null when somebody is
 * already registered.
 * @throws AppError INVALID_EMAIL_FORMAT, RATE_LIMITED (as `randomPassword`)
 */
export const firstAdmin = internalAction({
  args: { email: v.string(), name: v.optional(v.string()) },
  returns: v.union(
    v.null(),
    v.object({ email: v.string(), password: v.string(), code: v.string() }),
  ),
  handler: async (
    ctx,
    { email: given, name = "Administrator" },
  ): Promise<{ email: string; password: string; code: string } | null> => {
    const email = canonicalEmail(given);
    if (!isEmail(email)) throw appError("INVALID_EMAIL_FORMAT");
    await ctx.runMutation(internal.dev.seed.empty, {});
    const { password, passwordHash } = await randomPassword(PASSWORD_BYTES, NO_SENDER);
    const code = await ctx.runMutation(internal.dev.seed.writeFirstAdmin, {
      email,
      name,
      passwordHash,
    });
    return code === null ? null : { email, password, code };
  },
});

// --- Load -----------------------------------------------------------------------------------------

/** Documents written in one transaction, well below the limits of a mutation. */
const WRITES_AT_ONCE = 5_000;

/** Number of people that `large` has added: where the next call continues. */
export const loadedCount = internalQuery({
  args: {},
  returns: v.number(),
  handler: (ctx) => loadData.loadedCount(ctx),
});

/** One batch of people with history; see `large`. */
export const writeLoad = internalMutation({
  args: loadData.loadBatchFields,
  returns: v.null(),
  handler: async (ctx, args) => {
    await loadData.writeLoadBatch(ctx, args, Date.now());
    return null;
  },
});

/**
 * Adds numbered members (`load0@load.example` …, demo password) with history, for load tests. Call
 * again with the next `firstNumber`; each call adds `users` people in bounded transactions.
 */
export const large = internalAction({
  args: { firstNumber: v.number(), users: v.number(), transactionsEach: v.number() },
  returns: v.null(),
  handler: async (ctx, { firstNumber, users, transactionsEach }) => {
    const passwordHash = await hashInTurn(DEMO_PASSWORD, NO_SENDER);
    const peopleAtOnce = Math.max(1, Math.floor(WRITES_AT_ONCE / (20 + 5 * transactionsEach)));
    for (let done = 0; done < users; done += peopleAtOnce) {
      await ctx.runMutation(internal.dev.seed.writeLoad, {
        firstNumber: firstNumber + done,
        users: Math.min(peopleAtOnce, users - done),
        transactionsEach,
        passwordHash,
      });
    }
    return null;
  },
});
