/** A password change whose answer was lost, and which its page asks for again. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { clientOf, enter, stubAuthKeys } from "./authKeys";
import { addCodes, newBackend, refusalOf, type Backend } from "./support";

const OLD = "correct horse battery";
const NEW = "staple battery horse";
const CHANGE = { currentPassword: OLD, newPassword: NEW, requestKey: "k1" };

let t: Backend;
beforeEach(() => {
  t = newBackend();
});

/** A member past both steps. */
async function member() {
  await stubAuthKeys();
  await addCodes(t, "111111");
  await enter(t, "signUp", "ada@bank.example", OLD);
  await t.run(async (ctx) => {
    const [user] = await ctx.db.query("users").take(1);
    if (user) await ctx.db.patch("users", user._id, { role: "user", status: "approved" });
  });
  const as = clientOf(t, await enter(t, "signIn", "ada@bank.example", OLD));
  await as.mutation(api.otp.verifyLogin, { code: "111111" });
  return as;
}

test("the same key is answered as before, and changes nothing", async () => {
  const as = await member();
  await as.action(api.profile.changePassword, CHANGE);
  const everything = () =>
    t.run(async (ctx) => [
      await ctx.db.query("outbox").collect(),
      await ctx.db.query("securityEvents").collect(),
      await ctx.db.query("authAccounts").collect(),
      await ctx.db.query("requests").collect(),
    ]);
  const before = await everything();
  expect(await as.action(api.profile.changePassword, CHANGE)).toBeNull();
  expect(await everything()).toEqual(before);
  const stored = JSON.stringify(await t.run((ctx) => ctx.db.query("requests").collect()));
  expect(stored).toContain("k1");
  expect(stored).not.toMatch(/horse/);
});

test("two calls with one key that meet are one change", async () => {
  const as = await member();
  const twice = [CHANGE, CHANGE].map((change) => as.action(api.profile.changePassword, change));
  expect(await Promise.all(twice)).toEqual([null, null]);
  const events = await as.query(api.profile.securityEvents, {});
  expect(events.filter(({ kind }) => kind === "passwordChanged")).toHaveLength(1);
});

test("a refused change leaves its key free; another key, or none, is judged anew", async () => {
  const as = await member();
  const change = (args: Partial<typeof CHANGE>) =>
    as.action(api.profile.changePassword, { ...CHANGE, ...args });
  expect(await refusalOf(change({ currentPassword: "wrong one" }))).toBe("CURRENT_PASSWORD_WRONG");
  expect(await refusalOf(change({ requestKey: "" }))).toBe("INVALID_TEXT");
  await change({});
  expect(await refusalOf(change({ requestKey: "k2" }))).toBe("CURRENT_PASSWORD_WRONG");
  const { requestKey: _none, ...keyless } = CHANGE;
  expect(await refusalOf(as.action(api.profile.changePassword, keyless))).toBe(
    "CURRENT_PASSWORD_WRONG",
  );
});

test("a key that has made a change makes no other one, and says so", async () => {
  const as = await member();
  await as.action(api.profile.changePassword, CHANGE);
  const other = { ...CHANGE, currentPassword: NEW, newPassword: "horse battery staple" };
  expect(await refusalOf(as.action(api.profile.changePassword, other))).toBe("REQUEST_KEY_REUSED");
  await as.action(api.profile.changePassword, { ...other, requestKey: "k2" });
});
