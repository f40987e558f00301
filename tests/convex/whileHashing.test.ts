/** Hashing a password takes time: rights that the caller loses meanwhile must be lost for the rest of the call. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import { clientOf, enter, stubAuthKeys } from "./authKeys";
import { newUser, addCodes, admin, newBackend, refusalOf, type Backend } from "./support";

const EMAIL = "ada@bank.example";
const OLD = "a long enough one";
const NEW = "quite another one";

let t: Backend;

beforeEach(async () => {
  t = newBackend();
  await stubAuthKeys();
  await addCodes(t, "111111");
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs `act` while the next hash is computed. */
function duringNextHash(act: () => Promise<unknown>): void {
  const derive = crypto.subtle.deriveBits.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, "deriveBits").mockImplementationOnce(async (...args) => {
    await act();
    return await derive(...args);
  });
}

/** A member who signed in with a password, and the same member in another session. */
async function memberTwice() {
  await enter(t, "signUp", EMAIL, OLD);
  await t.run(async (ctx) => {
    const [user] = await ctx.db.query("users").take(1);
    if (user !== undefined) {
      await ctx.db.patch("users", user._id, { role: "user", status: "approved" });
    }
  });
  const signIn = async () => {
    const tokens = await enter(t, "signIn", EMAIL, OLD);
    const as = clientOf(t, tokens);
    await as.mutation(api.otp.verifyLogin, { code: "111111" });
    return { as };
  };
  return [await signIn(), await signIn()] as const;
}

test("a stolen session that is ended meanwhile cannot change the password", async () => {
  const [owner, thief] = await memberTwice();
  duringNextHash(() => owner.as.mutation(api.profile.signOutEverywhereElse, {}));
  const change = { currentPassword: OLD, newPassword: NEW };
  const call = thief.as.action(api.profile.changePassword, change);
  expect(await refusalOf(call)).toBe("NOT_SIGNED_IN");
  expect(await owner.as.query(api.viewer.get, {})).toMatchObject({ place: "member" });
  await enter(t, "signIn", EMAIL, OLD);
});

test("a change is refused when the password was changed meanwhile, in the same session too", async () => {
  const [owner] = await memberTwice();
  const change = (newPassword: string) =>
    owner.as.action(api.profile.changePassword, { currentPassword: OLD, newPassword });
  duringNextHash(() => change(NEW));
  expect(await refusalOf(change("yet another one"))).toBe("CURRENT_PASSWORD_WRONG");
  await enter(t, "signIn", EMAIL, NEW);
});

test("a password that is changed right after its check does not sign anybody in", async () => {
  const [owner] = await memberTwice();
  const account = await t.run((ctx) => ctx.db.query("authAccounts").first());
  const found = await t.mutation(internal.authSteps.settleTry, {
    email: EMAIL,
    derivedHash: account?.secret ?? "",
  });
  if (found.kind !== "right") throw new Error(found.kind);
  const { kind: _kind, ...signedIn } = found;
  const change = { currentPassword: OLD, newPassword: NEW };
  await owner.as.action(api.profile.changePassword, change);
  // What the library does with the result of the password step.
  const args = { type: "signIn" as const, ...signedIn, generateTokens: true };
  const made: unknown = await t.mutation(internal.auth.store, { args });
  const { tokens } = made as { tokens: { token: string; refreshToken: string } };
  expect(await clientOf(t, tokens).query(api.viewer.get, {})).toBeNull();
  const { refreshToken } = tokens;
  expect(await t.action(api.auth.signIn, { refreshToken })).toEqual({ tokens: null });
});

test("a member who is rejected meanwhile cannot change the password", async () => {
  const [owner] = await memberTwice();
  const root = await admin(t);
  const people = await root.as.query(api.admin.users.list, {
    search: EMAIL,
    paginationOpts: { numItems: 1, cursor: null },
  });
  const userId = people.page[0]?._id;
  if (userId === undefined) throw new Error("nobody");
  duringNextHash(() =>
    root.as.mutation(api.admin.registrations.reject, { userId, reason: "Fraud" }),
  );
  const change = { currentPassword: OLD, newPassword: NEW };
  const call = owner.as.action(api.profile.changePassword, change);
  expect(await refusalOf(call)).toBe("NOT_APPROVED");
});

test("an administrator who is demoted or disabled meanwhile cannot create users", async () => {
  const root = await admin(t);
  const create = (by: Awaited<ReturnType<typeof admin>>) =>
    by.as.action(api.admin.users.create, newUser({ password: NEW, role: "admin" }));
  const demoted = await admin(t, "demoted@bank.example");
  duringNextHash(() =>
    root.as.mutation(api.admin.users.setRole, { userId: demoted.userId, role: "user" }),
  );
  expect(await refusalOf(create(demoted))).toBe("NOT_SIGNED_IN");
  const disabled = await admin(t, "disabled@bank.example");
  const disable = { userId: disabled.userId, isDisabled: true, reason: "Stolen" };
  duringNextHash(() => root.as.mutation(api.admin.users.setDisabled, disable));
  expect(await refusalOf(create(disabled))).toBe("NOT_SIGNED_IN");
  const page = { search: "june", paginationOpts: { numItems: 5, cursor: null } };
  expect((await root.as.query(api.admin.users.list, page)).page).toEqual([]);
});

test("whoever's session ends meanwhile creates nobody and changes no password", async () => {
  const endSessions = () =>
    t.run(async (ctx) => {
      const ended = { expirationTime: Date.now() };
      for (const { _id } of await ctx.db.query("authSessions").take(9)) {
        await ctx.db.patch("authSessions", _id, ended);
      }
    });
  const [owner] = await memberTwice();
  duringNextHash(endSessions);
  const change = { currentPassword: OLD, newPassword: NEW };
  const call = owner.as.action(api.profile.changePassword, change);
  expect(await refusalOf(call)).toBe("NOT_SIGNED_IN");
  const root = await admin(t);
  duringNextHash(endSessions);
  const creation = root.as.action(api.admin.users.create, newUser({ password: NEW }));
  expect(await refusalOf(creation)).toBe("NOT_SIGNED_IN");
  const other = await admin(t, "other@bank.example");
  duringNextHash(endSessions);
  const reset = { userId: root.userId, reason: "Forgotten" };
  expect(await refusalOf(other.as.action(api.admin.users.resetPassword, reset))).toBe(
    "NOT_SIGNED_IN",
  );
});

test("for one e-mail, three sign-ups a day get as far as the hash", async () => {
  const args = { email: EMAIL, addressKeys: [], passwordLength: OLD.length, refusals: [] };
  const start = () => t.mutation(internal.authSteps.startSignUp, args);
  for (let count = 0; count < 3; count++) expect(await start()).toBeNull();
  expect(await start()).toMatchObject({ code: "RATE_LIMITED" });
});
