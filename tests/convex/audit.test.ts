import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { publicFunctions } from "../conformance/publicFunctions";
import { addCodes, admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  await addCodes(t, "111111");
});

const PASSWORD = "a long enough one";
const BALANCES = { availableCents: 0n, balanceCents: 0n };

/** One successful call of each mutating admin function of people, codes and rules. */
const CALLS: Record<string, (member: Person, applicant: Person) => Promise<unknown>> = {
  "admin/users:findByEmail": (member) =>
    root.as.mutation(api.admin.users.findByEmail, { email: member.email }),
  "admin/users:create": () =>
    root.as.action(api.admin.users.create, {
      name: "June",
      email: "june@bank.example",
      phone: "1",
      password: PASSWORD,
      role: "user",
      street: "1",
      city: "2",
      state: "3",
      zipCode: "4",
      checking: BALANCES,
      savings: BALANCES,
    }),
  "admin/users:setRole": ({ userId }) =>
    root.as.mutation(api.admin.users.setRole, { userId, role: "admin" }),
  "admin/users:setDisabled": ({ userId }) =>
    root.as.mutation(api.admin.users.setDisabled, { userId, isDisabled: true, reason: "x" }),
  "admin/registrations:setCheck": (_member, { userId }) =>
    root.as.mutation(api.admin.registrations.setCheck, {
      userId,
      check: "dobValid",
      isChecked: true,
    }),
  "admin/registrations:reject": (_member, { userId }) =>
    root.as.mutation(api.admin.registrations.reject, { userId, reason: "x" }),
  "admin/registrations:requestInformation": (_member, { userId }) =>
    root.as.mutation(api.admin.registrations.requestInformation, { userId, text: "x" }),
  "admin/otpCodes:list": () => root.as.mutation(api.admin.otpCodes.list, {}),
  "admin/otpCodes:add": () => root.as.mutation(api.admin.otpCodes.add, { code: "222222" }),
  "admin/otpCodes:remove": async () => {
    const [code] = await t.run((ctx) => ctx.db.query("otpCodes").take(1));
    if (code === undefined) throw new Error("No code");
    await root.as.mutation(api.admin.otpCodes.remove, { codeId: code._id });
  },
  "admin/otpCodes:clearUsed": () => root.as.mutation(api.admin.otpCodes.clearUsed, {}),
  "admin/policies:set": () =>
    root.as.mutation(api.admin.policies.set, { key: "passwordMinLength", value: "8" }),
  "admin/policies:applyRecommended": () =>
    root.as.mutation(api.admin.policies.applyRecommended, {}),
  "admin/restrictions:set": ({ userId }) =>
    root.as.mutation(api.admin.restrictions.set, { userId, reason: "x" }),
  "admin/restrictions:lift": async ({ userId }) => {
    await t.run(async (ctx) => {
      await ctx.db.insert("restrictions", { userId, reason: "x", setBy: "x", setAt: 1 });
    });
    await root.as.mutation(api.admin.restrictions.lift, { userId });
  },
  "admin/inbox:setHandled": async () => {
    await t.mutation(api.contact.send, {
      name: "Zoe",
      email: "z@mail.example",
      subject: "general",
      message: "x",
      preferredContact: "email",
    });
    const [message] = await t.run((ctx) => ctx.db.query("contactMessages").take(1));
    if (message === undefined) throw new Error("No message");
    const handled = { messageId: message._id, isHandled: true };
    await root.as.mutation(api.admin.inbox.setHandled, handled);
  },
};

/** Covered by the tests of money and by the registration tests (it needs ten ticks first). */
const ELSEWHERE =
  /^admin\/(accounts|transactions|transferCounts|deposits|health):|^admin\/registrations:approve$/u;

test("every mutating admin function has a call here", async () => {
  const mutating = (await publicFunctions()).filter(
    ({ path, kind, guard }) => guard === "admin" && kind !== "query" && !ELSEWHERE.test(path),
  );
  expect(Object.keys(CALLS).sort()).toEqual(mutating.map(({ path }) => path));
});

test.each(Object.keys(CALLS))("%s writes exactly one entry, without secrets", async (path) => {
  const member = await person(t, "ada@bank.example");
  const applicant = await person(t, "lena@bank.example", {
    role: "pending",
    status: "pending",
    hasPassedCode: false,
  });
  await CALLS[path]?.(member, applicant);
  const entries = await t.run((ctx) => ctx.db.query("auditLog").take(10));
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ actorId: root.userId, actorEmail: root.email });
  for (const secret of ["111111", "222222", PASSWORD]) {
    expect(JSON.stringify(entries)).not.toContain(secret);
  }
});

test("the log is narrowed by person, action and actor, newest first", async () => {
  const ada = await person(t, "ada@bank.example");
  const second = await admin(t, "second@bank.example");
  const { userId } = ada;
  await root.as.mutation(api.admin.restrictions.set, { userId, reason: "one" });
  await second.as.mutation(api.admin.restrictions.lift, { userId });
  await second.as.mutation(api.admin.otpCodes.list, {});
  const actions = async (filter: object) => {
    const args = { ...filter, paginationOpts: { numItems: 10, cursor: null } };
    const { page } = await root.as.query(api.admin.audit.page, args);
    return page.map(({ action }) => action);
  };
  expect(await actions({})).toEqual(["otp.list", "restriction.lift", "restriction.set"]);
  expect(await actions({ personId: userId })).toEqual(["restriction.lift", "restriction.set"]);
  expect(await actions({ actorId: second.userId })).toEqual(["otp.list", "restriction.lift"]);
  expect(await actions({ action: "otp.list" })).toEqual(["otp.list"]);
  expect(await actions({ personId: userId, actorId: root.userId })).toEqual(["restriction.set"]);
});
