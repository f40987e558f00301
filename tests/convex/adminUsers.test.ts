import { beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import schema from "../../convex/schema";
import { embeddedTest } from "../../embedded/testing";
import { enter, clientOf, stubAuthKeys } from "./authKeys";
import { expectRefusal, mailsTo } from "./moneySupport";
import {
  MODULES,
  addCodes,
  admin,
  newBackend,
  newUser,
  person,
  refusalOf,
  snapshot,
  type Backend,
  type Person,
} from "./support";

let t: Backend;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
});

const PAGE = { numItems: 10, cursor: null };
const NEW_USER = newUser({
  zipCode: " 12180 ",
  email: "June@Bank.example",
  checking: { availableCents: 150_000n, balanceCents: 150_000n },
});

describe("the list", () => {
  const search = async (text: string, status?: "pending" | "approved" | "rejected") => {
    const args = { search: text, ...(status === undefined ? {} : { status }) };
    const { page } = await root.as.query(api.admin.users.list, { ...args, paginationOpts: PAGE });
    return page.map(({ email }) => email);
  };

  test("shows everyone, newest first, with status and number of accounts", async () => {
    await person(t, "ada@bank.example", { name: "Ada Abel", createdAt: 1_000 });
    await person(t, "lena@bank.example", {
      role: "pending",
      status: "pending",
      hasPassedCode: false,
      createdAt: 2_000,
    });
    const { page } = await root.as.query(api.admin.users.list, { paginationOpts: PAGE });
    expect(page.map(({ email, status, accountCount }) => [email, status, accountCount])).toEqual([
      ["root@bank.example", "active", 2],
      ["lena@bank.example", "pending", 0],
      ["ada@bank.example", "approved", 2],
    ]);
    expect(page[1]).toMatchObject({ name: "lena", role: "pending", isProtected: false });
  });

  test("finds people by e-mail and by each word of the name, once each", async () => {
    await person(t, "ada@bank.example", { name: "Ada Adams Abel" });
    await person(t, "zoe@bank.example", { name: "Zoe Adair" });
    expect(await search("ada")).toEqual(["ada@bank.example", "zoe@bank.example"]);
    expect(await search(" ABEL ")).toEqual(["ada@bank.example"]);
    expect(await search("adams ab")).toEqual(["ada@bank.example"]);
    expect(await search("Abel, Ad")).toEqual(["ada@bank.example"]);
    expect(await search("adams  \t ab")).toEqual(["ada@bank.example"]);
    expect(await search("zoe@bank")).toEqual(["zoe@bank.example"]);
    expect(await search("nobody")).toEqual([]);
    expect(await search("ada", "pending")).toEqual([]);
    expect(await search("ada", "approved")).toHaveLength(2);
  });

  test("finds names with characters beyond the Basic Multilingual Plane (embedded backend)", async () => {
    t = embeddedTest(schema, MODULES);
    root = await admin(t);
    const { email } = await person(t, "hana@bank.example", { name: "Hana \u7530\u{20bb7}" });
    expect(await search("\u7530")).toEqual([email]);
    expect(await search("\u7530", "approved")).toEqual([email]);
    expect(await search("\u{20bb7}")).toEqual([]);
  });

  test("follows a change of status, in list, search and counts", async () => {
    const lena = await person(t, "lena@bank.example", {
      role: "pending",
      status: "pending",
      hasPassedCode: false,
    });
    const counts = () => root.as.query(api.admin.users.counts, {});
    expect(await counts()).toEqual({ all: 2, pending: 1, approved: 0, rejected: 0 });
    await root.as.mutation(api.admin.registrations.reject, { userId: lena.userId, reason: "No" });
    expect(await counts()).toEqual({ all: 2, pending: 0, approved: 0, rejected: 1 });
    expect(await search("lena", "pending")).toEqual([]);
    expect(await search("lena", "rejected")).toEqual(["lena@bank.example"]);
  });

  test("marks the protected account that the environment names", async () => {
    await person(t, "vip@bank.example");
    const { page } = await root.as.query(api.admin.users.list, { paginationOpts: PAGE });
    expect(page.find(({ email }) => email.startsWith("vip"))).toMatchObject({ isProtected: true });
  });
});

describe("a look-up", () => {
  test("finds an e-mail in any spelling, and is audited", async () => {
    const ada = await person(t, "ada@bank.example", { name: "Ada Abel" });
    const found = await root.as.mutation(api.admin.users.findByEmail, {
      email: " ADA@bank.example",
    });
    expect(found).toEqual({ userId: ada.userId, email: "ada@bank.example", name: "Ada Abel" });
    expect(
      await root.as.mutation(api.admin.users.findByEmail, { email: "x@bank.example" }),
    ).toBeNull();
    const { page } = await root.as.query(api.admin.audit.page, { paginationOpts: PAGE });
    expect(page.map(({ action }) => action)).toEqual(["user.findByEmail", "user.findByEmail"]);
  });

  test("of one administrator is answered 120 times a minute, and says in the audit log what was found", async () => {
    const lookUp = ({ as }: Person) =>
      as.mutation(api.admin.users.findByEmail, { email: "x@bank.example" });
    const other = await admin(t, "other@bank.example");
    vi.useFakeTimers({ toFake: ["Date"] });
    for (let count = 0; count < 120; count += 1) await lookUp(root);
    await expectRefusal(t, () => lookUp(root), "RATE_LIMITED");
    await lookUp(other);
    // One more every half second.
    vi.setSystemTime(Date.now() + 499);
    await expectRefusal(t, () => lookUp(root), "RATE_LIMITED");
    vi.setSystemTime(Date.now() + 1);
    await root.as.mutation(api.admin.users.findByEmail, { email: other.email });
    vi.useRealTimers();
    const { page } = await root.as.query(api.admin.audit.page, { paginationOpts: PAGE });
    expect(page.slice(0, 2).map(({ after }) => after)).toEqual([
      JSON.stringify({ isFound: true }),
      JSON.stringify({ isFound: false }),
    ]);
  });

  test("does not cut a surrogate pair in the audit log", async () => {
    await root.as.mutation(api.admin.users.findByEmail, { email: `${"a".repeat(253)}😀` });
    const { page } = await root.as.query(api.admin.audit.page, { paginationOpts: PAGE });
    expect(page[0]?.targetLabel).toBe("a".repeat(253));
  });
});

describe("creating a user", () => {
  const create = (fields: Partial<typeof NEW_USER> | { role: "admin" } = {}) =>
    root.as.action(api.admin.users.create, { ...NEW_USER, ...fields });

  test("makes an active person with opening balances who can sign in; the admin stays signed in", async () => {
    await stubAuthKeys();
    await addCodes(t, "111111");
    const { userId } = await create();
    expect(await root.as.query(api.admin.users.get, { userId })).toMatchObject({
      email: "june@bank.example",
      status: "active",
      role: "user",
      createdBy: root.email,
      flatAddress: { zipCode: "12180" },
      accounts: [
        { type: "Checking", balanceCents: 150_000n, availableCents: 150_000n },
        { type: "Savings", balanceCents: 0n },
      ],
    });
    const tokens = await enter(t, "signIn", NEW_USER.email, NEW_USER.password);
    const june = clientOf(t, tokens);
    await june.mutation(api.otp.verifyLogin, { code: "111111" });
    expect(await june.query(api.transactions.recent, {})).toEqual([]);
    expect(await root.as.query(api.viewer.get, {})).toMatchObject({ place: "admin" });
    const { page } = await root.as.query(api.admin.audit.page, { paginationOpts: PAGE });
    expect(page.map(({ action }) => action)).toEqual(["user.create"]);
    expect(JSON.stringify(page)).not.toContain(NEW_USER.password);
  });

  test("refuses in the order of the form, and writes nothing", async () => {
    await person(t, "taken@bank.example");
    const negative = { availableCents: -1n, balanceCents: 0n };
    const cases: [Partial<typeof NEW_USER>, string][] = [
      [{ name: " ", email: "x", password: "short", checking: negative }, "FILL_REQUIRED_FIELDS"],
      [{ email: "x", password: "short", checking: negative }, "INVALID_EMAIL"],
      [{ email: "taken@bank.example", password: "short", checking: negative }, "WEAK_PASSWORD"],
      [{ email: "taken@bank.example", checking: negative }, "INVALID_AMOUNT"],
      [{ email: "taken@bank.example", city: "x".repeat(500) }, "INVALID_TEXT"],
      [{ email: "taken@bank.example" }, "EMAIL_TAKEN"],
    ];
    for (const [fields, code] of cases) expect(await refusalOf(create(fields)), code).toBe(code);
    expect(await t.run((ctx) => ctx.db.query("users").take(9))).toHaveLength(2);
  });

  test("asks for a new password at the first sign-in under the recommended policies", async () => {
    await stubAuthKeys();
    await addCodes(t, "111111");
    await root.as.mutation(api.admin.policies.applyRecommended, {});
    const belowTheLimit = { availableCents: 100_000n, balanceCents: 100_000n };
    await create({ checking: belowTheLimit });
    const tokens = await enter(t, "signIn", NEW_USER.email, NEW_USER.password);
    const june = clientOf(t, tokens);
    await june.mutation(api.otp.verifyLogin, { code: "111111" });
    expect(await june.query(api.viewer.get, {})).toMatchObject({ place: "mustChangePassword" });
    await june.action(api.profile.changePassword, {
      currentPassword: NEW_USER.password,
      newPassword: "quite another one",
    });
    expect(await june.query(api.viewer.get, {})).toMatchObject({ place: "member" });
    await enter(t, "signIn", NEW_USER.email, "quite another one");
  });
});

describe("role and disabling", () => {
  test("a member becomes an administrator and back; the change ends open sessions and is told", async () => {
    const ada = await person(t, "ada@bank.example");
    const { userId } = ada;
    await root.as.mutation(api.admin.users.setRole, { userId, role: "admin" });
    expect(await ada.as.query(api.viewer.get, {})).toBeNull();
    await root.as.mutation(api.admin.users.setRole, { userId, role: "user" });
    expect((await t.run((ctx) => ctx.db.get("users", userId)))?.role).toBe("user");
    const events = await t.run((ctx) => ctx.db.query("securityEvents").take(5));
    expect(events.map(({ text }) => text)).toEqual(Array(2).fill("Staff changed your role."));
  });

  test("the role that a person already has changes nothing", async () => {
    const second = await admin(t, "second@bank.example");
    const before = await snapshot(t);
    await root.as.mutation(api.admin.users.setRole, { userId: second.userId, role: "admin" });
    expect(await snapshot(t)).toBe(before);
  });

  test("nobody removes their own rights, and applicants do not become administrators", async () => {
    const { userId } = root;
    const own = root.as.mutation(api.admin.users.setRole, { userId, role: "user" });
    expect(await refusalOf(own)).toBe("OWN_ACCOUNT_FORBIDDEN");
    const disable = { userId, isDisabled: true, reason: "Holiday" };
    expect(await refusalOf(root.as.mutation(api.admin.users.setDisabled, disable))).toBe(
      "OWN_ACCOUNT_FORBIDDEN",
    );
    const lena = await person(t, "lena@bank.example", {
      role: "pending",
      status: "pending",
      hasPassedCode: false,
    });
    const raise = { userId: lena.userId, role: "admin" as const };
    expect(await refusalOf(root.as.mutation(api.admin.users.setRole, raise))).toBe(
      "PERSON_NOT_APPROVED",
    );
  });

  test("when two administrators demote each other the second is refused: one remains", async () => {
    const second = await admin(t, "second@bank.example");
    const demote = (as: typeof root.as, userId: Id<"users">) =>
      as.mutation(api.admin.users.setRole, { userId, role: "user" });
    await demote(root.as, second.userId);
    expect(await refusalOf(demote(second.as, root.userId))).toBe("NOT_SIGNED_IN");
    expect(await root.as.query(api.viewer.get, {})).toMatchObject({ role: "admin" });
  });

  test("disabling ends sessions, enabling resets the wrong attempts; the person is notified", async () => {
    const ada = await person(t, "ada@bank.example");
    await t.run(async (ctx) => {
      await ctx.db.insert("otpAttempts", { userId: ada.userId, inRow: 19, updatedAt: 1 });
    });
    const set = (isDisabled: boolean) =>
      root.as.mutation(api.admin.users.setDisabled, {
        userId: ada.userId,
        isDisabled,
        reason: "Lost phone",
      });
    await set(true);
    expect(await refusalOf(ada.as.query(api.notifications.mine, {}))).toBe("NOT_SIGNED_IN");
    await set(false);
    expect(await t.run((ctx) => ctx.db.query("otpAttempts").take(1))).toEqual([]);
    const { page } = await root.as.query(api.admin.audit.page, { paginationOpts: PAGE });
    expect(page.map(({ action, reason }) => [action, reason])).toEqual([
      ["user.enable", "Lost phone"],
      ["user.disable", "Lost phone"],
    ]);
    expect(await mailsTo(t, ada)).toEqual(["Your sign-in has been disabled"]);
    const events = await t.run((ctx) => ctx.db.query("securityEvents").take(5));
    expect(events.map(({ userId, text }) => [userId, text])).toEqual([
      [ada.userId, "Staff disabled your sign-in."],
      [ada.userId, "Staff enabled your sign-in."],
    ]);
  });

  test("too many wrong codes never disable the last administrator", async () => {
    await t.run(async (ctx) => {
      await ctx.db.insert("otpAttempts", { userId: root.userId, inRow: 19, updatedAt: 1 });
    });
    await root.as.mutation(api.otp.verifyLogin, { code: "999999" });
    expect(await root.as.query(api.viewer.get, {})).not.toBeNull();
    const second = await admin(t, "second@bank.example");
    await t.run(async (ctx) => {
      await ctx.db.insert("otpAttempts", { userId: second.userId, inRow: 19, updatedAt: 1 });
    });
    await second.as.mutation(api.otp.verifyLogin, { code: "999999" });
    expect(await second.as.query(api.viewer.get, {})).toBeNull();
  });
});
