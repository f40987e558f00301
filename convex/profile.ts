/**
 * Profile and account settings: contact details, password, sessions, security events.
 *
 * Not here: sign-in (auth.ts), changes by staff (admin/users).
 */
import { v } from "convex/values";
import { internal } from "./_generated/api";
import { internalMutation, memberMutation, memberQuery, passwordChangeAction } from "./functions";
import { hashInTurn, isPassword } from "./model/hashQueue";
import { judge } from "./model/judge";
import * as ownPassword from "./model/ownPassword";
import * as ownSessions from "./model/ownSessions";
import * as profiles from "./model/profiles";
import * as securityEvents from "./model/securityEvents";
import { appError } from "./shared/errors";
import { PASSWORD_CHANGE_RULES } from "./shared/rules/profile";

const vAddress = v.object({
  street: v.string(),
  city: v.string(),
  state: v.string(),
  country: v.optional(v.string()),
  postalCode: v.string(),
});

const vEmergencyContact = v.object({
  name: v.string(),
  relationship: v.string(),
  phone: v.string(),
});

/** The caller's contact details. */
export const get = memberQuery({
  args: {},
  returns: v.object({
    name: v.string(),
    email: v.string(),
    phone: v.string(),
    alternativeEmail: v.optional(v.string()),
    address: vAddress,
    emergencyContact: v.optional(vEmergencyContact),
    memberSince: v.number(),
  }),
  handler: async (ctx) => profiles.viewOf(ctx.user),
});

/**
 * Changes the caller's contact details; what is optional there and left out stays as it is, but an `alternativeEmail`
 * goes.
 * @throws AppError FILL_REQUIRED_FIELDS, INVALID_EMAIL, INVALID_TEXT, RATE_LIMITED
 */
export const updateContact = memberMutation({
  args: {
    phone: v.string(),
    alternativeEmail: v.optional(v.string()),
    address: vAddress,
    emergencyContact: v.optional(vEmergencyContact),
  },
  returns: v.null(),
  handler: async (ctx, args) => {
    await profiles.updateContact(ctx, ctx.user, args);
    return null;
  },
});

// --- Password -------------------------------------------------------------------------------------

/** Begins a change: model/ownPassword. */
export const startPasswordChange = internalMutation({
  args: { personId: v.id("users"), requestKey: v.optional(v.string()) },
  returns: v.object({
    isMade: v.boolean(),
    isLimited: v.boolean(),
    storedHash: v.string(),
    passwordMinLength: v.number(),
  }),
  handler: (ctx, args) => ownPassword.startChange(ctx, args),
});

/** Writes what `changePassword` has hashed; false if the current password is no longer the one that was checked. */
export const finishPasswordChange = internalMutation({
  args: { currentHash: v.string(), newHash: v.string(), requestKey: v.optional(v.string()) },
  returns: v.boolean(),
  handler: (ctx, args) => ownPassword.finishChange(ctx, args),
});

/**
 * Changes the caller's password; every other session ends. Also how a change that is due gets made. Once with each
 * request key: a page that lost the answer asks again, with a current password that is no longer right.
 * @throws AppError FILL_REQUIRED_FIELDS, INVALID_TEXT, RATE_LIMITED, REQUEST_KEY_REUSED (made with this key, but the
 *   password is not the new one), the refusals of a new password, CURRENT_PASSWORD_WRONG (in this order of precedence);
 *   RATE_LIMITED also while too many passwords wait to be hashed
 */
export const changePassword = passwordChangeAction({
  args: {
    currentPassword: v.string(),
    newPassword: v.string(),
    requestKey: v.optional(v.string()),
  },
  returns: v.null(),
  handler: async (ctx, { currentPassword, newPassword, requestKey }): Promise<null> => {
    const { _id: personId, email } = ctx.user;
    if (currentPassword === "" || newPassword === "") throw appError("FILL_REQUIRED_FIELDS");
    const begin = () =>
      ctx.runMutation(internal.profile.startPasswordChange, { personId, requestKey });
    const answerAgain = async ({ storedHash }: { storedHash: string }) => {
      const isSame = await isPassword(newPassword, storedHash, personId);
      if (!isSame) throw appError("REQUEST_KEY_REUSED");
      return null;
    };
    const start = await begin();
    if (start.isLimited) throw appError("RATE_LIMITED");
    if (start.isMade) return await answerAgain(start);
    const { passwordMinLength, storedHash } = start;
    const draft = { email, currentPassword, newPassword, confirmPassword: newPassword };
    judge(PASSWORD_CHANGE_RULES, draft, { passwordMinLength }, { minimum: passwordMinLength });
    if (!(await isPassword(currentPassword, storedHash, personId))) {
      throw appError("CURRENT_PASSWORD_WRONG");
    }
    const newHash = await hashInTurn(newPassword, personId);
    const change = { currentHash: storedHash, newHash, requestKey };
    if (await ctx.runMutation(internal.profile.finishPasswordChange, change)) return null;
    // Perhaps by this very call, which its page has sent again while the first one was under way.
    const again = await begin();
    if (!again.isMade) throw appError("CURRENT_PASSWORD_WRONG");
    return await answerAgain(again);
  },
});

// --- Sessions -------------------------------------------------------------------------------------

/** The caller's sessions after the second step, newest first. `handle` names one; it opens nothing. */
export const sessions = memberQuery({
  args: {},
  returns: v.array(
    v.object({
      handle: v.string(),
      isCurrent: v.boolean(),
      createdAt: v.number(),
      lastActiveAt: v.number(),
      userAgent: v.optional(v.string()),
    }),
  ),
  handler: (ctx) => ownSessions.list(ctx),
});

/**
 * Ends one of the caller's own sessions.
 * @throws AppError NOT_FOUND
 */
export const signOutSession = memberMutation({
  args: { handle: v.string() },
  returns: v.null(),
  handler: async (ctx, { handle }) => {
    await ownSessions.signOut(ctx, handle);
    return null;
  },
});

/** Ends every session of the caller except this one. Returns how many of them the caller's list showed. */
export const signOutEverywhereElse = memberMutation({
  args: {},
  returns: v.object({ count: v.number() }),
  handler: async (ctx) => ({ count: await ownSessions.signOutOthers(ctx) }),
});

/** The newest 20 events of the caller's security page. */
const listSecurityEvents = memberQuery({
  args: {},
  returns: v.array(
    v.object({ _id: v.id("securityEvents"), kind: v.string(), text: v.string(), at: v.number() }),
  ),
  handler: async (ctx) => {
    const events = await securityEvents.newest(ctx, ctx.user._id);
    return events.map(({ _id, kind, text, at }) => ({ _id, kind, text, at }));
  },
});
export { listSecurityEvents as securityEvents };
