/**
 * People, for administrators: list, counts, detail, look-up, creation, role, password, disabling.
 *
 * Not here: decisions on registrations (admin/registrations), names and e-mails (admin/identity), money
 * (admin/accounts).
 */
import { paginationOptsValidator, paginationResultValidator } from "convex/server";
import { v } from "convex/values";
import { internal } from "../_generated/api";
import type { Id } from "../_generated/dataModel";
import type { MutationCtx } from "../_generated/server";
import {
  adminAction,
  adminMutation,
  adminQuery,
  internalMutation,
  internalQuery,
} from "../functions";
import { refuseExpired, requireAdmin, type Caller } from "../model/access";
import * as adminUsers from "../model/adminUsers";
import { hashInTurn } from "../model/hashQueue";
import { markedRow } from "../model/infoRequests";
import { judge } from "../model/judge";
import { messageOf } from "../model/messages";
import * as oneTimePasswords from "../model/oneTimePasswords";
import { policyValue } from "../model/policies";
import { vRequest } from "../model/requests";
import { counts as countUsers } from "../model/userCounts";
import { findByEmail as findUser, listPage } from "../model/users";
import { canonicalEmail } from "../shared/email";
import { appError } from "../shared/errors";
import { displayName } from "../shared/names";
import { setRoleArgs, writePasswordResetArgs } from "../shared/moneyChanges";
import {
  vContactDetails,
  vDocuments,
  vFlatAddress,
  vInfoRequest,
  vPersonalInfo,
  vRestriction,
  vTick,
} from "../shared/personFields";
import { CREATE_USER_RULES, createUserCommand } from "../shared/rules/createUser";
import {
  vAccountType,
  vFilterStatus,
  vRole,
  vSettableRole,
  vShownStatus,
} from "../shared/validators";

/** Hashing took time: the caller of an action is judged again by the mutation that ends it. */
async function judgedAgain(ctx: MutationCtx): Promise<MutationCtx & Caller> {
  const caller = await refuseExpired(ctx, await requireAdmin(ctx), Date.now());
  return { ...ctx, ...caller };
}

const listRowFields = {
  _id: v.id("users"),
  email: v.string(),
  name: v.string(),
  role: vRole,
  status: vShownStatus,
  accountCount: v.number(),
  createdAt: v.number(),
  isProtected: v.boolean(),
};

const vBalances = v.object({ availableCents: v.int64(), balanceCents: v.int64() });

/** A page of people, newest first; with `search`, those whose e-mail or a word of whose name starts with it. */
export const list = adminQuery({
  args: {
    status: v.optional(vFilterStatus),
    search: v.optional(v.string()),
    paginationOpts: paginationOptsValidator,
  },
  returns: paginationResultValidator(v.object({ ...listRowFields, hasAnswered: v.boolean() })),
  handler: async (ctx, { status, search, paginationOpts }) => {
    const found = await listPage(ctx, { status, search }, paginationOpts);
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
  handler: (ctx) => countUsers(ctx),
});

/** One person with everything the detail pane and the verification dialog show. */
export const get = adminQuery({
  args: { userId: v.id("users") },
  returns: v.union(
    v.null(),
    v.object({
      ...listRowFields,
      phone: v.optional(v.string()),
      registrationDate: v.number(),
      createdBy: v.optional(v.string()),
      transferCount: v.number(),
      personalInfo: v.optional(vPersonalInfo),
      contactDetails: v.optional(vContactDetails),
      flatAddress: v.optional(vFlatAddress),
      documents: v.optional(vDocuments),
      rejectionReason: v.optional(v.string()),
      rejectedAt: v.optional(v.number()),
      /** Their membership was ended by a rejection. */
      isFormerMember: v.boolean(),
      disabledAt: v.optional(v.number()),
      /** Newest first. */
      infoRequests: v.array(vInfoRequest),
      verificationChecks: v.array(vTick),
      restriction: v.union(v.null(), vRestriction),
      accounts: v.array(
        v.object({
          _id: v.id("accounts"),
          type: vAccountType,
          accountNumber: v.string(),
          routingNumber: v.string(),
          balanceCents: v.int64(),
          availableCents: v.int64(),
          updatedAt: v.number(),
        }),
      ),
    }),
  ),
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

/** The facts by which a creation is judged before hashing. */
export const creationFacts = internalQuery({
  args: { email: v.string() },
  returns: v.object({ isTaken: v.boolean(), passwordMinLength: v.number() }),
  handler: async (ctx, { email }) => ({
    isTaken: (await findUser(ctx, email)) !== null,
    passwordMinLength: await policyValue(ctx, "passwordMinLength"),
  }),
});

/**
 * Writes the new person with accounts, opening balances and cards in one transaction. Whoever has lost the role, the
 * session or the sign-in since creates nobody.
 */
export const writeCreated = internalMutation({
  args: { ...createFields, passwordHash: v.string() },
  returns: v.id("users"),
  handler: async (ctx, { passwordHash, ...command }): Promise<Id<"users">> => {
    return await adminUsers.create(await judgedAgain(ctx), command, passwordHash);
  },
});

/**
 * Creates a person (spec section 5 "Create user"). An action, because it hashes a password; the
 * administrator's own session is not touched.
 * @throws AppError FILL_REQUIRED_FIELDS, INVALID_EMAIL, the refusals of a new password,
 *   INVALID_AMOUNT, INVALID_TEXT, EMAIL_TAKEN, RATE_LIMITED (as `hashInTurn`), SECOND_ADMIN_FOR_ROLE,
 *   SECOND_ADMIN_REQUIRED (in this order of precedence)
 */
export const create = adminAction({
  args: { ...createFields, password: v.string() },
  returns: v.object({ userId: v.id("users") }),
  handler: async (ctx, args): Promise<{ userId: Id<"users"> }> => {
    const command = createUserCommand.parse(args);
    const email = canonicalEmail(command.email);
    const facts = await ctx.runQuery(internal.admin.users.creationFacts, { email });
    const minimum = facts.passwordMinLength;
    judge(CREATE_USER_RULES, { ...command, email }, facts, { minimum });
    if (facts.isTaken) throw appError("EMAIL_TAKEN");
    const { password, ...record } = command;
    const passwordHash = await hashInTurn(password, ctx.user._id);
    const userId: Id<"users"> = await ctx.runMutation(internal.admin.users.writeCreated, {
      ...record,
      passwordHash,
    });
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
 * Gives a person who forgot theirs a random one-time password, for the administrator to tell them; it is stored
 * nowhere. With `isAsked` it works once a second administrator has approved it. Once with each request key: asked
 * again, it tells the same password. An action, because it hashes.
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
