/**
 * People, for administrators: list, counts, detail, look-up, creation, role, password, disabling.
 *
 * Not here: decisions on registrations (admin/registrations), names and e-mails (admin/identity), money
 * (admin/accounts).
 */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v, type Infer } from "convex/values";
import { internal } from "../_generated/api";
import type { Id } from "../_generated/dataModel";
import {
  adminAction,
  adminMutation,
  adminQuery,
  internalMutation,
  internalQuery,
} from "../functions";
import { judgedAgain } from "../model/access";
import * as adminUsers from "../model/adminUsers";
import * as createdUsers from "../model/createdUsers";
import { hashInTurn, isPassword } from "../model/hashQueue";
import { markedRow } from "../model/infoRequests";
import { judge } from "../model/judge";
import { messageOf } from "../model/messages";
import * as oneTimePasswords from "../model/oneTimePasswords";
import { policyValue } from "../model/policies";
import { vRequest } from "../model/requests";
import * as userCounts from "../model/userCounts";
import * as users from "../model/users";
import { canonicalEmail } from "../shared/email";
import { appError } from "../shared/errors";
import { displayName } from "../shared/names";
import { setRoleArgs, writePasswordResetArgs } from "../shared/moneyChanges";
import { vPersonDetail, vPersonRow } from "../shared/personAnswers";
import { CREATE_USER_RULES, createUserCommand } from "../shared/rules/createUser";
import { vFilterStatus, vSettableRole } from "../shared/validators";

const vBalances = v.object({ availableCents: v.int64(), balanceCents: v.int64() });

/** A page of people, newest first; with `search`, those whose e-mail or a word of whose name starts with it. */
export const list = adminQuery({
  args: {
    status: v.optional(vFilterStatus),
    search: v.optional(v.string()),
    paginationOpts: paginationOptsValidator,
  },
  returns: paginationResultValidator(vPersonRow),
  handler: async (ctx, { status, search, paginationOpts }) => {
    const found = await users.listPage(ctx, { status, search }, paginationOpts);
    return { ...found, page: await Promise.all(found.page.map((user) => markedRow(ctx, user))) };
  },
});

/** Numbers for the filter tabs. */
export const counts = adminQuery({
  args: {},
  returns: v.object({
    all: v.number(),
    pending: v.number(),
    approved: v.number(),
    rejected: v.number(),
  }),
  handler: (ctx) => userCounts.counts(ctx),
});

/** One person with everything the detail pane and the verification dialog show. */
export const get = adminQuery({
  args: { userId: v.id("users") },
  returns: v.union(v.null(), vPersonDetail),
  handler: (ctx, { userId }) => adminUsers.detail(ctx, userId),
});

/**
 * The person with this e-mail, or null. A mutation, because look-ups are counted and audited.
 * @throws AppError RATE_LIMITED
 */
export const findByEmail = adminMutation({
  args: { email: v.string() },
  returns: v.union(
    v.null(),
    v.object({ userId: v.id("users"), email: v.string(), name: v.string() }),
  ),
  handler: async (ctx, { email }) => {
    const user = await adminUsers.lookUp(ctx, email);
    return user === null ? null : { userId: user._id, email: user.email, name: displayName(user) };
  },
});

// --- Creation -------------------------------------------------------------------------------------

const createFields = {
  name: v.string(),
  email: v.string(),
  phone: v.string(),
  role: vSettableRole,
  street: v.string(),
  city: v.string(),
  state: v.string(),
  zipCode: v.string(),
  checking: vBalances,
  savings: vBalances,
};

/** Who was created; with the hash to compare if it was by an earlier call with the same request (model/createdUsers). */
const vCreated = v.object({ userId: v.id("users"), givenHash: v.union(v.null(), v.string()) });
type Created = Infer<typeof vCreated>;

/** The facts by which a creation is judged before hashing, and what came of it if it was requested before. */
export const creationFacts = internalQuery({
  args: { email: v.string(), request: v.optional(vRequest) },
  returns: v.object({
    created: v.union(v.null(), vCreated),
    isTaken: v.boolean(),
    passwordMinLength: v.number(),
  }),
  handler: async (ctx, { email, request }) => ({
    created: await createdUsers.findCreated(ctx, request),
    isTaken: (await users.findByEmail(ctx, email)) !== null,
    passwordMinLength: await policyValue(ctx, "passwordMinLength"),
  }),
});

/**
 * Writes the new person with accounts, opening balances and cards in one transaction. Whoever has lost the role, the
 * session or the sign-in since creates nobody.
 */
export const writeCreated = internalMutation({
  args: { ...createFields, passwordHash: v.string(), request: v.optional(vRequest) },
  returns: vCreated,
  handler: async (ctx, { passwordHash, request, ...command }): Promise<Created> =>
    await createdUsers.create(await judgedAgain(ctx), command, { passwordHash, request }),
});

/**
 * Creates a person (spec section 5 "Create user"). An action, because it hashes a password; the
 * administrator's own session is not touched. Once with each request key.
 * @throws AppError REQUEST_KEY_REUSED (also with another password than the one given then, while that is in force),
 *   FILL_REQUIRED_FIELDS, INVALID_EMAIL, the refusals of a new password, INVALID_AMOUNT, INVALID_TEXT, EMAIL_TAKEN,
 *   RATE_LIMITED (as `hashInTurn`), SECOND_ADMIN_FOR_ROLE, SECOND_ADMIN_REQUIRED (in this order of precedence)
 */
export const create = adminAction({
  args: { ...createFields, password: v.string(), requestKey: v.optional(v.string()) },
  returns: v.object({ userId: v.id("users") }),
  handler: async (ctx, { requestKey, ...args }): Promise<{ userId: Id<"users"> }> => {
    const { _id: adminId } = ctx.user;
    const command = createUserCommand.parse(args);
    const { password, ...record } = command;
    const email = canonicalEmail(command.email);
    const request = createdUsers.requestOfCreation(adminId, record, requestKey);
    const facts = await ctx.runQuery(internal.admin.users.creationFacts, { email, request });
    const write = async (): Promise<Created> => {
      const minimum = facts.passwordMinLength;
      judge(CREATE_USER_RULES, { ...command, email }, facts, { minimum });
      if (facts.isTaken) throw appError("EMAIL_TAKEN");
      const passwordHash = await hashInTurn(password, adminId);
      const creation = { ...record, passwordHash, request };
      return await ctx.runMutation(internal.admin.users.writeCreated, creation);
    };
    const { userId, givenHash } = facts.created ?? (await write());
    const isSame = givenHash === null || (await isPassword(password, givenHash, adminId));
    if (!isSame) throw appError("REQUEST_KEY_REUSED");
    return { userId };
  },
});

// --- Standing -------------------------------------------------------------------------------------

/**
 * Makes an accepted person an administrator, or an administrator a member.
 * @throws AppError USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, PERSON_NOT_APPROVED, OTP_CODES_USED_UP,
 *   SECOND_ADMIN_FOR_ROLE
 */
export const setRole = adminMutation({
  args: setRoleArgs,
  returns: v.null(),
  handler: async (ctx, { userId, role }) => {
    await adminUsers.setRole(ctx, userId, role);
    return null;
  },
});

/** Writes what `resetPassword` has hashed. */
export const writePasswordReset = internalMutation({
  args: { ...writePasswordResetArgs, request: v.optional(vRequest) },
  returns: v.object({ isAsked: v.boolean() }),
  handler: async (ctx, { request, ...args }): Promise<{ isAsked: boolean }> =>
    await oneTimePasswords.give(await judgedAgain(ctx), args, request),
});

/**
 * Gives a person who forgot theirs a one-time password, for the administrator to tell them; only its hash is stored.
 * With `isAsked` it works once a second administrator has approved it. Once with each request key: asked again, it tells
 * the same password (model/oneTimePasswords). An action, because it hashes.
 * @throws AppError REASON_REQUIRED, INVALID_TEXT, RATE_LIMITED, REQUEST_KEY_REUSED (also when that password is no longer
 *   of use), USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, APPROVALS_FULL
 */
export const resetPassword = adminAction({
  args: { userId: v.id("users"), reason: v.string(), requestKey: v.optional(v.string()) },
  returns: v.object({ password: v.string(), isAsked: v.boolean() }),
  handler: async (ctx, { userId, reason, requestKey }) => {
    const { _id: adminId } = ctx.user;
    const args = { userId, reason: messageOf(reason) };
    const { requestOfReset, passwordFor } = oneTimePasswords;
    const request = requestOfReset(adminId, args, requestKey);
    const { password, passwordHash } = await passwordFor(adminId, userId, requestKey);
    const reset = { ...args, passwordHash, request };
    const write = internal.admin.users.writePasswordReset;
    const answer: { isAsked: boolean } = await ctx.runMutation(write, reset);
    return { password, ...answer };
  },
});

/**
 * Disables or enables a person's sign-in.
 * @throws AppError REASON_REQUIRED, INVALID_TEXT, USER_NOT_FOUND, OWN_ACCOUNT_FORBIDDEN, OTP_CODES_USED_UP
 */
export const setDisabled = adminMutation({
  args: { userId: v.id("users"), isDisabled: v.boolean(), reason: v.string() },
  returns: v.null(),
  handler: async (ctx, args) => {
    await adminUsers.setDisabled(ctx, { ...args, reason: messageOf(args.reason) });
    return null;
  },
});
