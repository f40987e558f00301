/** Name and e-mail, changed by an administrator: what a person signs in with, is found by and is paid by. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { FunctionArgs } from "convex/server";
import { api, internal } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { PASSWORD_WRONG_IN_ROW_LOCK } from "../../convex/shared/limits";
import { enter, stubAuthKeys } from "./authKeys";
import { balancesOf, bellOf, expectRefusal, submit, toUser } from "./moneySupport";
import {
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

type Args = FunctionArgs<typeof api.admin.identity.set>;

const JUNE = newUser();
const NEW_EMAIL = "june.abel@mail.example";

let t: Backend;
let root: Person;
let userId: Id<"users">;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  await stubAuthKeys();
  await addCodes(t, "111111");
  ({ userId } = await root.as.action(api.admin.users.create, JUNE));
});

const edit = (changes: Partial<Args> = {}): Args => ({
  userId,
  name: JUNE.name,
  email: JUNE.email,
  expected: { name: JUNE.name, email: JUNE.email },
  reason: "Seen her papers",
  ...changes,
});
const set = (changes: Partial<Args> = {}, by: Person = root) =>
  by.as.mutation(api.admin.identity.set, edit(changes));
const signIn = (email: string) => enter(t, "signIn", email, JUNE.password);
const mails = async () => {
  const rows = await t.run((ctx) => ctx.db.query("outbox").take(9));
  return rows.map(({ to, subject, body }) => ({ to, subject, body }));
};
const found = async (search: string) => {
  const paginationOpts = { numItems: 10, cursor: null };
  const { page } = await root.as.query(api.admin.users.list, { search, paginationOpts });
  return page.map(({ email }) => email);
};

describe("a new e-mail", () => {
  test("is what the person signs in with and is paid by; the old one is free", async () => {
    const ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
    await set({ email: " June.Abel@MAIL.example " });
    expect(await refusalOf(signIn(JUNE.email))).toBe("INVALID_CREDENTIALS");
    await signIn(NEW_EMAIL);
    await expectRefusal(t, () => submit(ada, toUser(JUNE.email)), "RECIPIENT_NOT_FOUND");
    await submit(ada, toUser(NEW_EMAIL, { amountCents: 2_500n }));
    expect(await balancesOf(t, ada)).toEqual([7_500n, 0n]);
    await root.as.action(api.admin.users.create, JUNE);
    await signIn(JUNE.email);
  });

  test("that is another person's by now is not paid under the name that the sender read", async () => {
    const ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
    const read = await ada.as.mutation(api.transfers.findRecipient, { email: JUNE.email });
    if (!("name" in read)) throw new Error("Not found");
    await set({ email: NEW_EMAIL });
    const other = await person(t, JUNE.email, { name: "Jo" });
    const pay = (shownName: string) => submit(ada, toUser(JUNE.email, { shownName }));
    await expectRefusal(t, () => pay(read.name), "RECIPIENT_NOT_FOUND");
    await pay("Jo");
    expect((await balancesOf(t, other))[0]).toBeGreaterThan(0n);
  });

  test("finds the person, and the old one does not", async () => {
    await set({ email: NEW_EMAIL });
    expect(await found("june.abel@")).toEqual([NEW_EMAIL]);
    expect(await found(JUNE.email)).toEqual([]);
  });

  test("is told to both addresses, the old one not reading the new; sessions go on", async () => {
    const ada = await person(t, "ada@bank.example");
    await set({
      userId: ada.userId,
      name: "ada",
      email: "ada@mail.example",
      expected: { name: "ada", email: ada.email },
    });
    const [toOld, toNew, ...others] = await mails();
    expect(others).toEqual([]);
    expect(toOld).toMatchObject({ to: ada.email, subject: "Your email was changed" });
    expect(toOld?.body).not.toContain("mail.example");
    expect(toNew).toMatchObject({ to: "ada@mail.example", subject: "Your email was changed" });
    expect(toNew?.body).toContain("You sign in with ada@mail.example from now on.");
    expect(await bellOf(ada)).toEqual(["You sign in with ada@mail.example from now on."]);
    expect(await ada.as.query(api.viewer.get, {})).toMatchObject({ email: "ada@mail.example" });
    const events = await ada.as.query(api.profile.securityEvents, {});
    expect(events.map(({ text }) => text)).toEqual(["Staff changed your email."]);
  });

  test("becomes the name of somebody who never gave one", async () => {
    const ada = await person(t, "ada@bank.example");
    const expected = { name: "ada", email: ada.email };
    await set({ userId: ada.userId, name: "ada", email: "abel@mail.example", expected });
    expect(await ada.as.query(api.profile.get, {})).toMatchObject({ name: "abel" });
  });

  test("is not locked by wrong tries from before it had an account", async () => {
    for (let tries = 0; tries < PASSWORD_WRONG_IN_ROW_LOCK; tries++) {
      await refusalOf(enter(t, "signIn", NEW_EMAIL, "a wrong password"));
    }
    await set({ email: NEW_EMAIL });
    await signIn(NEW_EMAIL);
  });

  test("neither gives nor takes away the rights of the protected account", async () => {
    const vip = await person(t, "vip@bank.example");
    const expected = { name: "vip", email: vip.email };
    const move = () =>
      set({ userId: vip.userId, name: "vip", email: "vip@mail.example", expected });
    await expectRefusal(t, move, "PROTECTED_EMAIL");
    vi.stubEnv("PROTECTED_ACCOUNT_EMAIL", "VIP@mail.example");
    await move();
    await set({ email: vip.email });
    const flags = await t.run(async (ctx) =>
      Promise.all(
        [vip.userId, userId].map(
          async (id) => (await ctx.db.get("users", id))?.isProtected ?? false,
        ),
      ),
    );
    expect(flags).toEqual([true, false]);
  });
});

test("a new name is on the profile, in the list and read by whoever pays; it is told by e-mail and bell", async () => {
  const ada = await person(t, "ada@bank.example");
  await set({ name: " June Abel " });
  expect(await found("abel")).toEqual([JUNE.email]);
  const recipient = await ada.as.mutation(api.transfers.findRecipient, { email: JUNE.email });
  expect(recipient).toMatchObject({ name: "June Abel" });
  const told = await mails();
  expect(told.map(({ to, subject }) => [to, subject])).toEqual([
    [JUNE.email, "Your name was changed"],
  ]);
  expect(told[0]?.body).toContain("Hello June Abel");
  const [notice] = await t.run((ctx) => ctx.db.query("notifications").take(1));
  expect(notice).toMatchObject({ userId, body: "Our staff changed it to June Abel." });
});

test("an applicant's new e-mail is to be checked again, and only that", async () => {
  const lena = await person(t, "lena@bank.example", { role: "pending", status: "pending" });
  const { userId: id } = lena;
  for (const check of ["emailValid", "phoneValid"] as const) {
    await root.as.mutation(api.admin.registrations.setCheck, {
      userId: id,
      check,
      isChecked: true,
    });
  }
  const expected = { name: "lena", email: lena.email };
  await set({ userId: id, name: "lena", email: "lena@mail.example", expected });
  const detail = await root.as.query(api.admin.users.get, { userId: id });
  expect(detail?.verificationChecks.map(({ check }) => check)).toEqual(["phoneValid"]);
});

test("a member's new e-mail leaves what was checked before the decision", async () => {
  const tick = { userId, check: "emailValid", isChecked: true } as const;
  await root.as.mutation(api.admin.registrations.setCheck, tick);
  await set({ email: NEW_EMAIL });
  const detail = await root.as.query(api.admin.users.get, { userId });
  expect(detail?.verificationChecks).toHaveLength(1);
});

test("nobody is told to sign in with a new e-mail while their sign-in is disabled", async () => {
  const disabling = { userId, isDisabled: true, reason: "Lost phone" };
  await root.as.mutation(api.admin.users.setDisabled, disabling);
  await set({ email: NEW_EMAIL });
  const toNew = (await mails()).find(({ to }) => to === NEW_EMAIL);
  expect(toNew?.body).toContain("Your sign-in is disabled. To use it again, call us");
  expect(toNew?.body).not.toContain("You sign in with");
});

test("an applicant's slip is mended without naming anybody to an address that nobody checked", async () => {
  const lena = await person(t, "lena@bank.example", {
    role: "pending",
    status: "pending",
    name: "You won, see evil.example",
  });
  const expected = { name: "You won, see evil.example", email: lena.email };
  await set({ userId: lena.userId, name: "Evil Example", email: "lena@mail.example", expected });
  const told = await mails();
  expect(told.map(({ to, subject }) => [to, subject])).toEqual([
    [lena.email, "Your name and email were changed"],
    ["lena@mail.example", "Your name and email were changed"],
  ]);
  expect(JSON.stringify(told)).not.toMatch(/evil/i);
});

test("refuses in its order of precedence, and changes nothing", async () => {
  await person(t, "taken@bank.example");
  const before = await snapshot(t);
  const seen = { name: JUNE.name, email: JUNE.email };
  const cases: [Partial<Args>, string][] = [
    [{ userId: root.userId, expected: { name: "x", email: "x" } }, "OWN_ACCOUNT_FORBIDDEN"],
    [{ expected: { ...seen, name: "Another" }, name: "" }, "STALE_EDIT"],
    [{ expected: { ...seen, email: "x@x.example" }, name: "" }, "STALE_EDIT"],
    [{ name: " ", email: "x", reason: "" }, "FILL_REQUIRED_FIELDS"],
    [{ email: " ", name: "\u0007", reason: "" }, "FILL_REQUIRED_FIELDS"],
    [{ email: "x", name: "\u0007", reason: "" }, "INVALID_EMAIL"],
    [{ name: "\u0007", reason: "" }, "INVALID_TEXT"],
    [{ name: "x".repeat(121), reason: "" }, "INVALID_TEXT"],
    [{ name: ` ${JUNE.name} `, email: JUNE.email.toUpperCase(), reason: "" }, "NOTHING_CHANGED"],
    [{ email: "Taken@bank.example", reason: " " }, "REASON_REQUIRED"],
    [{ email: "taken@bank.example" }, "EMAIL_TAKEN"],
  ];
  for (const [changes, code] of cases) expect(await refusalOf(set(changes)), code).toBe(code);
  expect(await snapshot(t)).toBe(before);
});

test("what stays as it is need not be what a new one must be", async () => {
  const name = "x".repeat(200);
  const old = await person(t, "a,b@bank.example", { name });
  const expected = { name, email: old.email };
  const longest = "x".repeat(120);
  await set({ userId: old.userId, name: longest, email: old.email, expected });
  const other = await person(t, "other@bank.example", { name });
  await set({
    userId: other.userId,
    name,
    email: "ada@bank.example",
    expected: { name, email: other.email },
  });
});

test("demo data is known as such under other e-mails too", async () => {
  const demo = newBackend();
  const isDemo = () => demo.query(internal.dev.seed.hasDemoPeople, {});
  expect(await isDemo()).toBe(false);
  await demo.action(internal.dev.seed.demo, {});
  const second = await admin(demo);
  const email = "admin@demo.example";
  const first = await second.as.mutation(api.admin.users.findByEmail, { email });
  if (first === null) throw new Error("no administrator");
  const { name } = first;
  const args = { userId: first.userId, name, email: "root@mail.example", reason: "New mailbox" };
  await second.as.mutation(api.admin.identity.set, { ...args, expected: { name, email } });
  expect(await isDemo()).toBe(true);
});
