/**
 * The database work of sign-in and sign-up, one transaction each. Internal functions only.
 *
 * Not here: hashing and the order of the steps (auth.ts).
 */
import { v } from "convex/values";
import type { Id } from "./_generated/dataModel";
import { internalMutation } from "./functions";
import { findCaller } from "./model/access";
import { takeAddressToken, takeToken } from "./model/limits";
import * as attempts from "./model/passwordAttempts";
import { policyValue } from "./model/policies";
import * as refreshTokens from "./model/refreshTokens";
import * as registrations from "./model/registrations";
import { endSession } from "./model/sessions";
import { findByEmail } from "./model/users";
import {
  MS,
  SIGN_UPS_PER_ADDRESS_PER_HOUR_MAX,
  SIGN_UPS_PER_EMAIL_PER_DAY_MAX,
} from "./shared/limits";
import { vApplication } from "./shared/validators";

/** Keyed hashes of the caller's networks (model/limits), made by the action. */
const vAddressKeys = v.array(v.string());

/** First half of a password try. `email` is canonical. */
export const startTry = internalMutation({
  args: { email: v.string(), addressKeys: vAddressKeys },
  returns: v.union(
    v.object({ kind: v.literal("limited") }),
    v.object({ kind: v.literal("check"), storedHash: v.union(v.string(), v.null()) }),
  ),
  handler: async (ctx, { email, addressKeys }): Promise<attempts.TryStart> =>
    await attempts.startTry(ctx, email, addressKeys),
});

/** Second half of a password try. */
export const settleTry = internalMutation({
  args: { email: v.string(), derivedHash: v.string() },
  returns: v.union(
    v.object({ kind: v.literal("limited") }),
    v.object({ kind: v.literal("wrong") }),
    v.object({
      kind: v.literal("right"),
      userId: v.id("users"),
      sessionId: v.id("authSessions"),
    }),
  ),
  handler: async (ctx, { email, derivedHash }): Promise<attempts.TryOutcome> =>
    await attempts.settleTry(ctx, email, derivedHash),
});

/**
 * Says whether a sign-up may go on to hashing; returns instead of throwing, so that tries stay
 * counted. `refusals` are the codes of the password and the application, in order.
 */
export const startSignUp = internalMutation({
  args: {
    email: v.string(),
    addressKeys: vAddressKeys,
    passwordLength: v.number(),
    refusals: v.array(v.string()),
  },
  returns: v.union(v.null(), v.object({ code: v.string(), minimum: v.number() })),
  handler: async (ctx, { email, addressKeys, passwordLength, refusals }) => {
    const minimum = await policyValue(ctx, "passwordMinLength");
    const isAddressFree = await takeAddressToken(ctx, addressKeys, {
      name: "signUpHour",
      max: SIGN_UPS_PER_ADDRESS_PER_HOUR_MAX,
      windowMs: MS.HOUR_MS,
    });
    if (!isAddressFree) return { code: "RATE_LIMITED", minimum };
    // Security: before any look at the password, which must not become an oracle.
    if ((await findByEmail(ctx, email)) !== null) return { code: "EMAIL_TAKEN", minimum };
    const [refusal] = refusals;
    const isTooShort = refusal !== "WEAK_PASSWORD" && passwordLength < minimum;
    if (isTooShort) return { code: "PASSWORD_TOO_SHORT", minimum };
    if (refusal !== undefined) return { code: refusal, minimum };
    const isEmailFree = await takeToken(ctx, {
      name: "signUpDay",
      key: email,
      max: SIGN_UPS_PER_EMAIL_PER_DAY_MAX,
      windowMs: MS.DAY_MS,
    });
    return isEmailFree ? null : { code: "RATE_LIMITED", minimum };
  },
});

/** Writes person, application and password account. */
export const register = internalMutation({
  args: {
    email: v.string(),
    passwordHash: v.string(),
    application: v.optional(vApplication),
  },
  returns: v.id("users"),
  handler: async (ctx, { email, passwordHash, application }): Promise<Id<"users">> =>
    await registrations.register(ctx, email, passwordHash, application),
});

/** True for a refresh token that may be exchanged. Counts it; one too many ends the session. */
export const startRefresh = internalMutation({
  args: { refreshToken: v.string() },
  returns: v.boolean(),
  handler: (ctx, { refreshToken }) => refreshTokens.startRefresh(ctx, refreshToken),
});

/** Ends the session of a refresh token that the library refused. */
export const revokeCopied = internalMutation({
  args: { refreshToken: v.string() },
  returns: v.null(),
  handler: async (ctx, { refreshToken }) => {
    await refreshTokens.revokeCopied(ctx, refreshToken);
    return null;
  },
});

/** Ends the caller's session with everything that depends on it. Harmless for visitors. */
export const endCurrentSession = internalMutation({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    const caller = await findCaller(ctx);
    if (caller !== null) await endSession(ctx, caller.session.sessionId);
    return null;
  },
});
