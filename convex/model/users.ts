/**
 * People: creation with a password, look-up, lists for admins.
 *
 * The only writer of `users`, except for the transfer count (model/transferGate, model/transferCounts)
 * and the time of an account edit (model/accountEdits).
 * Not here: approving and rejecting (model/registrations), who may lose rights (model/standing), sessions
 * (model/sessions).
 */
import type { PaginationOptions, PaginationResult, WithoutSystemFields } from "convex/server";
import type { Doc } from "../_generated/dataModel";
import type { MutationCtx, QueryCtx } from "../_generated/server";
import { canonicalEmail } from "../shared/email";
import { appError } from "../shared/errors";
import { displayName, SEARCH_KEYS_MAX, searchable, searchKeys } from "../shared/names";
import { effectiveRole, shownStatus } from "../shared/roles";
import type { FilterStatus } from "../shared/validators";
import { accountsOf } from "./accounts";
import { findById } from "./byId";
import { sha256Hex } from "./crypto";
import { protectedAccountEmail } from "./env";
import { newestMadeAt } from "./newest";
import { addToCount } from "./userCounts";

type NewUser = Omit<
  WithoutSystemFields<Doc<"users">>,
  "createdAt" | "registrationDate" | "updatedAt" | "isProtected"
> & {
  /** Only the demo data set has people who joined earlier. */
  readonly createdAt?: number;
};

const PASSWORD_PROVIDER = "password";
const ADMINS_READ_MAX = 50;

/** The person with this e-mail in any spelling, or null. */
export async function findByEmail(ctx: QueryCtx, email: string): Promise<Doc<"users"> | null> {
  return await ctx.db
    .query("users")
    .withIndex("email", (q) => q.eq("email", canonicalEmail(email)))
    .unique();
}

/**
 * A person by an unchecked id.
 * @throws AppError USER_NOT_FOUND
 */
export async function getUser(ctx: QueryCtx, userId: string): Promise<Doc<"users">> {
  const user = await findById(ctx, "users", userId);
  if (user === null) throw appError("USER_NOT_FOUND");
  return user;
}

/** Administrators, oldest first; at most fifty. */
export async function listAdmins(ctx: QueryCtx): Promise<Doc<"users">[]> {
  return await ctx.db
    .query("users")
    .withIndex("by_role", (q) => q.eq("role", "admin"))
    .take(ADMINS_READ_MAX);
}

/** True if anybody is registered. */
export async function hasAnybody(ctx: QueryCtx): Promise<boolean> {
  return (await ctx.db.query("users").first()) !== null;
}

/** The password account of an e-mail in canonical form, or null. */
export async function findPasswordAccount(
  ctx: QueryCtx,
  email: string,
): Promise<Doc<"authAccounts"> | null> {
  return await ctx.db
    .query("authAccounts")
    .withIndex("providerAndAccountId", (q) =>
      q.eq("provider", PASSWORD_PROVIDER).eq("providerAccountId", email),
    )
    .unique();
}

async function passwordAccount(ctx: QueryCtx, user: Doc<"users">): Promise<Doc<"authAccounts">> {
  const account = await findPasswordAccount(ctx, user.email);
  if (account === null) throw new Error("A person without a password account");
  return account;
}

// --- Search keys ---------------------------------------------------------------------------------

async function writeSearchKeys(ctx: MutationCtx, user: Doc<"users">): Promise<void> {
  const old = await ctx.db
    .query("userSearchKeys")
    .withIndex("by_userId", (q) => q.eq("userId", user._id))
    .take(SEARCH_KEYS_MAX);
  for (const row of old) await ctx.db.delete("userSearchKeys", row._id);
  const status = shownStatus(user.status);
  for (const key of searchKeys(user)) {
    await ctx.db.insert("userSearchKeys", { userId: user._id, key, status });
  }
}

/** What a second administrator relies on in a requester, and in whoever becomes an administrator. */
const STANDING_FIELDS = ["role", "status", "disabledAt", "passwordGiven"] as const;

/** True when none of these changed since the request. By their order: the clock may have been set back in between. */
export const hasKeptStanding = (
  { standingSince = 0 }: Doc<"users">,
  request: Doc<"approvals">,
): boolean => standingSince < request._creationTime;

/** True when the person has had the same role all the time since the request. */
export const hasKeptRole = ({ roleSince = 0 }: Doc<"users">, request: Doc<"approvals">): boolean =>
  roleSince < request._creationTime;

/**
 * Changes a person and keeps counts, search keys, the password account, `standingSince` and `roleSince` correct. The
 * only way to change `status`, `role`, `disabledAt`, `passwordGiven`, `name` or `email` (canonical and free).
 */
export async function change(
  ctx: MutationCtx,
  before: Doc<"users">,
  fields: Partial<WithoutSystemFields<Doc<"users">>>,
): Promise<Doc<"users">> {
  const hasNewStanding = STANDING_FIELDS.some((field) => field in fields);
  const since = hasNewStanding ? await newestMadeAt(ctx, "approvals") : 0;
  await ctx.db.patch("users", before._id, {
    ...fields,
    updatedAt: Date.now(),
    ...(hasNewStanding ? { standingSince: since } : {}),
    ...("role" in fields && fields.role !== before.role ? { roleSince: since } : {}),
  });
  const after = await getUser(ctx, before._id);
  const hasNewStatus = shownStatus(before.status) !== shownStatus(after.status);
  if (hasNewStatus) {
    await addToCount(ctx, shownStatus(before.status), -1);
    await addToCount(ctx, shownStatus(after.status), 1);
  }
  if (after.email !== before.email) {
    const account = await passwordAccount(ctx, before);
    await ctx.db.patch("authAccounts", account._id, { providerAccountId: after.email });
  }
  const isFoundDifferently = after.name !== before.name || after.email !== before.email;
  if (hasNewStatus || isFoundDifferently) await writeSearchKeys(ctx, after);
  return after;
}

/**
 * Refuses an e-mail, in canonical form, that somebody has.
 * @throws AppError EMAIL_TAKEN
 */
export async function refuseTaken(ctx: QueryCtx, email: string): Promise<void> {
  const isTaken =
    (await findByEmail(ctx, email)) !== null || (await findPasswordAccount(ctx, email)) !== null;
  if (isTaken) throw appError("EMAIL_TAKEN");
}

/**
 * Creates a person and their password account in one transaction.
 *
 * `user.email` must be canonical; `passwordHash` comes from model/crypto. Whoever is created with the e-mail of the
 * environment's protected account gets the flag, and keeps it under another e-mail.
 * @throws AppError EMAIL_TAKEN
 */
export async function createWithPassword(
  ctx: MutationCtx,
  user: NewUser,
  passwordHash: string,
): Promise<Doc<"users">> {
  await refuseTaken(ctx, user.email);
  const createdAt = user.createdAt ?? Date.now();
  const isProtected = user.email === canonicalEmail(protectedAccountEmail());
  const userId = await ctx.db.insert("users", {
    ...user,
    createdAt,
    registrationDate: createdAt,
    updatedAt: createdAt,
    ...(isProtected ? { isProtected } : {}),
  });
  await ctx.db.insert("authAccounts", {
    userId,
    provider: PASSWORD_PROVIDER,
    providerAccountId: user.email,
    secret: passwordHash,
  });
  const created = await getUser(ctx, userId);
  await addToCount(ctx, shownStatus(created.status), 1);
  await writeSearchKeys(ctx, created);
  return created;
}

/** Replaces the password hash of a person's account. */
export async function setPasswordHash(
  ctx: MutationCtx,
  user: Doc<"users">,
  passwordHash: string,
): Promise<void> {
  const account = await passwordAccount(ctx, user);
  await ctx.db.patch("authAccounts", account._id, { secret: passwordHash });
}

/** Shows whether a password is still the same, and nothing else about it. */
export async function credentialOf(ctx: QueryCtx, user: Doc<"users">): Promise<string> {
  const account = await findPasswordAccount(ctx, user.email);
  return credentialOfHash(account?.secret ?? "");
}

/** The same of a password that may not be in force yet. */
export const credentialOfHash = (passwordHash: string): string =>
  sha256Hex(`credential ${passwordHash}`);

/** What is recorded about a password that `by` gave a person. */
export const givenPassword = (by: string, passwordHash: string) => ({
  by,
  at: Date.now(),
  credential: credentialOfHash(passwordHash),
});

/** Whether the person still has the password that they were last given. */
export const hasGivenPassword = async (ctx: QueryCtx, person: Doc<"users">): Promise<boolean> =>
  person.passwordGiven?.credential === (await credentialOf(ctx, person));

// --- Lists for admins -----------------------------------------------------------------------------

/** The first text after every text that starts with `prefix`: texts sort by code point. */
const afterPrefix = (prefix: string): string => `${prefix}\u{10ffff}`;

async function searchPage(
  ctx: QueryCtx,
  prefix: string,
  status: FilterStatus | undefined,
  options: PaginationOptions,
): Promise<PaginationResult<Doc<"users">>> {
  const keys = ctx.db.query("userSearchKeys");
  const matches =
    status === undefined
      ? keys.withIndex("by_key", (q) => q.gte("key", prefix).lt("key", afterPrefix(prefix)))
      : keys.withIndex("by_status_and_key", (q) =>
          q.eq("status", status).gte("key", prefix).lt("key", afterPrefix(prefix)),
        );
  const found = await matches.paginate(options);
  const people: Doc<"users">[] = [];
  for (const { key, userId } of found.page) {
    const user = await ctx.db.get("users", userId);
    // A person found by several words is listed once, under the first of them. Keys from earlier versions have
    // commas and end with the name's last word.
    const first = user && searchKeys(user).find((word) => word.startsWith(prefix));
    const isFirst = first?.startsWith(searchable(key)) === true;
    if (user !== null && isFirst && !people.some(({ _id }) => _id === userId)) people.push(user);
  }
  return { ...found, page: people };
}

/**
 * A page of people: newest first, or, when searching, everyone whose e-mail, or a word of whose
 * name, starts with the text, in alphabetical order. A search page may be short.
 */
export async function listPage(
  ctx: QueryCtx,
  filter: { status?: FilterStatus | undefined; search?: string | undefined },
  options: PaginationOptions,
): Promise<PaginationResult<Doc<"users">>> {
  const prefix = searchable(filter.search ?? "");
  const { status } = filter;
  if (prefix !== "") return await searchPage(ctx, prefix, status, options);
  const people = ctx.db.query("users");
  const newestFirst =
    status === undefined
      ? people.withIndex("by_createdAt").order("desc")
      : people.withIndex("by_status_and_createdAt", (q) => q.eq("status", status)).order("desc");
  return await newestFirst.paginate(options);
}

/** A person as a row of the admin list. */
export async function listRow(ctx: QueryCtx, user: Doc<"users">) {
  const accounts = await accountsOf(ctx, user._id);
  return {
    _id: user._id,
    email: user.email,
    name: displayName(user),
    role: effectiveRole(user.role),
    status: shownStatus(user.status),
    accountCount: accounts.length,
    createdAt: user.createdAt,
    isProtected: user.isProtected === true,
  };
}
