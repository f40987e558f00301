/**
 * People whom administrators create, once for each request key.
 *
 * Not here: the rules (shared/rules/createUser), hashing (admin/users), people who apply (model/registrations).
 */
import type { Id } from "../_generated/dataModel";
import type { QueryCtx } from "../_generated/server";
import { canonicalEmail } from "../shared/email";
import { sumCents } from "../shared/money";
import type { CreateUserCommand } from "../shared/rules/createUser";
import { openPair } from "./accounts";
import { issuePair } from "./cards";
import { openingBalance } from "./ledger";
import * as passwordAttempts from "./passwordAttempts";
import { policyValue } from "./policies";
import { findOutcome, recordOutcome, requestOf, type Request } from "./requests";
import { requireSecondAdmin, requireSecondAdminForRole } from "./secondAdmin";
import { recordAct, type StaffCtx } from "./staffActs";
import {
  createWithPassword,
  findPasswordAccount,
  getUser,
  givenPassword,
  hasGivenPassword,
} from "./users";

/** What is stored about a person who is created; of the password, only a hash is. */
type NewRecord = Omit<CreateUserCommand, "password">;

/**
 * A creation that its page may ask for again, if it sent a key.
 * @throws AppError INVALID_TEXT
 */
export const requestOfCreation = (
  adminId: Id<"users">,
  record: NewRecord,
  requestKey: string | undefined,
): Request | undefined =>
  requestKey === undefined ? undefined : requestOf(adminId, "createUser", requestKey, record);

/** `givenHash`: of the password given by an earlier call; null once it has been changed, and for this call's own. */
type Created = { readonly userId: Id<"users">; readonly givenHash: string | null };

/**
 * Who was created with this request, or null.
 * @throws AppError REQUEST_KEY_REUSED
 */
export async function findCreated(
  ctx: QueryCtx,
  request: Request | undefined,
): Promise<Created | null> {
  const outcome = request === undefined ? null : await findOutcome(ctx, request);
  if (outcome === null) return null;
  const person = await getUser(ctx, outcome);
  // Security: never the hash of a password that they have chosen, which could then be guessed with the key.
  const hasGiven = await hasGivenPassword(ctx, person);
  const account = hasGiven ? await findPasswordAccount(ctx, person.email) : null;
  return { userId: person._id, givenHash: account?.secret ?? null };
}

/**
 * Creates a person with status "active", a Checking and a Savings account with the given opening
 * balances, and two cards; tries from before there was an account are forgotten. The caller has already
 * judged the command's rules (shared/rules/createUser).
 * @throws AppError REQUEST_KEY_REUSED, SECOND_ADMIN_FOR_ROLE, SECOND_ADMIN_REQUIRED, EMAIL_TAKEN
 */
export async function create(
  ctx: StaffCtx,
  command: NewRecord,
  { passwordHash, request }: { passwordHash: string; request: Request | undefined },
): Promise<Created> {
  // By the same request, perhaps, which its page has sent again while this one was hashing.
  const earlier = await findCreated(ctx, request);
  if (earlier !== null) return earlier;
  const nowMs = Date.now();
  const { name, email, phone, role, street, city, state, zipCode, checking, savings } = command;
  if (role === "admin") await requireSecondAdminForRole(ctx);
  const openings = [checking.balanceCents, savings.balanceCents];
  const available = [checking.availableCents, savings.availableCents];
  await requireSecondAdmin(ctx, sumCents(openings));
  await requireSecondAdmin(ctx, sumCents(available));
  const isOneTime = (await policyValue(ctx, "adminSetsPassword")) === "oneTime";
  const user = await createWithPassword(
    ctx,
    {
      email: canonicalEmail(email),
      name,
      phone,
      role,
      status: "active",
      createdBy: ctx.user.email,
      address: { street, city, state, zipCode },
      ...(isOneTime ? { mustChangePassword: true } : {}),
      passwordGiven: givenPassword(ctx.user.email, passwordHash),
    },
    passwordHash,
  );
  await passwordAttempts.unlock(ctx, user.email);
  const balances = { Checking: checking, Savings: savings };
  for (const account of await openPair(ctx, user._id, nowMs)) {
    await openingBalance(ctx, account, balances[account.type], nowMs, ctx.user._id);
  }
  await issuePair(ctx, user._id, nowMs);
  await recordAct(ctx, user, {
    action: "user.create",
    after: { name, role, status: "active", ...balances },
  });
  if (request !== undefined) await recordOutcome(ctx, request, user._id, nowMs);
  return { userId: user._id, givenHash: null };
}
