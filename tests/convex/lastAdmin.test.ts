/**
 * The bank never locks itself out: if an administrator could sign in before any action of administrators
 * (directly or by a later approval) or strangers, at least one can sign in afterwards.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import { codesLeft, listCodes } from "../../convex/model/otpCodes";
import { isApproved } from "../../convex/shared/roles";
import schema from "../../convex/schema";
import { embeddedTest } from "../../embedded/testing";
import { longer, SCALE } from "../support/chance";
import {
  addCodes,
  admin,
  MODULES,
  newBackend,
  person,
  refusalOf,
  signedIn,
  stubEnvironment,
  type Backend,
  type Person,
} from "./support";

/** Few, so that they are used up soon. */
const CODES = ["111111", "222222"];
const EMAILS = ["root@bank.example", "second@bank.example", "third@bank.example"];
const reason = "It has to be";

/** Administrators who could pass both steps now, given their passwords. */
const whoCanSignIn = (t: Backend) =>
  t.run(async (ctx) => {
    const able: string[] = [];
    for (const user of await ctx.db.query("users").take(10)) {
      const isAble = user.role === "admin" && isApproved(user) && user.disabledAt === undefined;
      if (isAble && (await codesLeft(ctx, user._id)) !== 0) able.push(user.email);
    }
    return able;
  });

const settled = (call: Promise<unknown>): Promise<unknown> => call.catch(() => undefined);

/** Makes the call, or a request where another administrator has to approve. */
async function callOrRequest(
  call: Promise<unknown>,
  ask: () => Promise<unknown>,
): Promise<unknown> {
  const refusal = await refusalOf(call).catch(() => null);
  return refusal?.startsWith("SECOND_ADMIN") ? settled(ask()) : undefined;
}

type Act = (t: Backend, actor: Person, person: Person, pick: number) => Promise<unknown>;

const setRole =
  (role: "admin" | "user"): Act =>
  (_t, { as }, { userId }) =>
    callOrRequest(as.mutation(api.admin.users.setRole, { userId, role }), () =>
      as.mutation(api.admin.approvals.request, {
        change: { kind: "user.setRole", args: { userId, role } },
      }),
    );
const setPolicy =
  (key: string, value: string): Act =>
  (_t, { as }) =>
    callOrRequest(as.mutation(api.admin.policies.set, { key, value }), () =>
      as.mutation(api.admin.approvals.request, {
        change: { kind: "policy.set", args: { key, value } },
      }),
    );
const setDisabled =
  (isDisabled: boolean): Act =>
  (_t, { as }, { userId }) =>
    as.mutation(api.admin.users.setDisabled, { userId, isDisabled, reason });

const ACTS: Record<string, Act> = {
  promote: setRole("admin"),
  demote: setRole("user"),
  disable: setDisabled(true),
  enable: setDisabled(false),
  reject: (_t, { as }, { userId }) =>
    as.mutation(api.admin.registrations.reject, { userId, reason }),
  resetPassword: (t, { as }, { userId }) =>
    as
      .mutation(internal.admin.users.writePasswordReset, { userId, reason, passwordHash: "new" })
      // As if the person had then chosen a password of their own.
      .then(() => t.run((ctx) => ctx.db.patch("users", userId, { mustChangePassword: undefined }))),
  approve: async (t, { as }, _person, pick) => {
    const waiting = await t.run((ctx) =>
      ctx.db
        .query("approvals")
        .withIndex("by_status_and_requestedAt", (q) => q.eq("status", "waiting"))
        .take(50),
    );
    const approvalId = waiting[pick % waiting.length]?._id ?? "";
    await as.mutation(api.admin.approvals.approve, { approvalId });
  },
  removeCode: async (t, { as }, _person, pick) => {
    const codes = await t.run(listCodes);
    const codeId = codes[pick % codes.length]?._id;
    if (codeId !== undefined) await as.mutation(api.admin.otpCodes.remove, { codeId });
  },
  addCode: (_t, { as }, _person, pick) =>
    as.mutation(api.admin.otpCodes.add, { code: CODES[pick % CODES.length] ?? "" }),
  useOncePerMember: setPolicy("otpReuse", '"oncePerMember"'),
  useOncePerSession: setPolicy("otpReuse", '"oncePerSession"'),
  needTwo: setPolicy("secondAdminApprovalAbove", "100000"),
  needOne: setPolicy("secondAdminApprovalAbove", "null"),
  /** A stranger who has the person's password and guesses codes. */
  guessCodes: async (t, _actor, { userId }) => {
    await t.run(async (ctx) => {
      for (const row of await ctx.db.query("otpAttempts").take(9)) await ctx.db.delete(row._id);
      await ctx.db.insert("otpAttempts", { userId, inRow: 19, updatedAt: 1 });
    });
    const { as } = await signedIn(t, userId, false);
    await as.mutation(api.otp.verifyLogin, { code: "000000" });
  },
};

/** Not one of ACTS: the person signs in and uses a code, perhaps their last. */
async function signIn(t: Backend, person: Person, pick: number): Promise<void> {
  const { as } = await signedIn(t, person.userId, false);
  const code = CODES[pick % CODES.length] ?? "";
  await settled(as.mutation(api.otp.verifyLogin, { code }));
}

const PICK = fc.nat(2);
const STEPS = fc.array(
  fc.record({
    name: fc.constantFrom(...Array<string>(5).fill("signIn"), ...Object.keys(ACTS)),
    actor: PICK,
    person: PICK,
    pick: PICK,
  }),
  { maxLength: 40, size: "max" },
);

/** Two administrators where each code works once, of whom the first has used all. */
async function usedUp() {
  const t = newBackend();
  await addCodes(t, ...CODES);
  const [root, second] = [await admin(t), await admin(t, "second@bank.example")];
  await root.as.mutation(api.admin.policies.set, { key: "otpReuse", value: '"oncePerMember"' });
  for (const pick of CODES.keys()) await signIn(t, root, pick);
  return { t, root, second };
}

test("an administrator without codes left cannot remove one that another could use", async () => {
  const { t, root, second } = await usedUp();
  const [code] = await t.run(listCodes);
  if (code === undefined) throw new Error("no code");
  const remove = ({ as }: Person) => as.mutation(api.admin.otpCodes.remove, { codeId: code._id });
  expect(await refusalOf(remove(root))).toBe("OTP_CODES_USED_UP");
  await remove(second);
});

test("an administrator without codes left cannot remove another administrator's rights", async () => {
  const { t, root, second } = await usedUp();
  const { userId } = second;
  const disable = { userId, isDisabled: true, reason };
  const calls = {
    demote: () => root.as.mutation(api.admin.users.setRole, { userId, role: "user" }),
    disable: () => root.as.mutation(api.admin.users.setDisabled, disable),
    reject: () => root.as.mutation(api.admin.registrations.reject, { userId, reason }),
  };
  for (const [name, call] of Object.entries(calls)) {
    expect(await refusalOf(call()), name).toBe("OTP_CODES_USED_UP");
  }
  const maya = await person(t, "maya@bank.example");
  const ofMember = { userId: maya.userId, isDisabled: true, reason };
  await root.as.mutation(api.admin.users.setDisabled, ofMember);
  await root.as.mutation(api.admin.otpCodes.add, { code: "333333" });
  await calls.disable();
});

test("an administrator without codes left can enable another one", async () => {
  const { t, root, second } = await usedUp();
  const third = await admin(t, "third@bank.example");
  await ACTS.disable?.(t, second, third, 0);
  expect(await whoCanSignIn(t)).toEqual([second.email]);
  await ACTS.enable?.(t, root, third, 0);
  expect(await whoCanSignIn(t)).toEqual([second.email, third.email]);
});

test("guessed codes do not disable the only administrator with a code left", async () => {
  const { t, root, second } = await usedUp();
  await ACTS.guessCodes?.(t, root, second, 0);
  expect(await whoCanSignIn(t)).toEqual([second.email]);
  await root.as.mutation(api.admin.otpCodes.add, { code: "333333" });
  await ACTS.guessCodes?.(t, root, second, 0);
  expect(await whoCanSignIn(t)).toEqual([root.email]);
});

test(
  "after every step at least one administrator can sign in",
  async () => {
    const history = fc.asyncProperty(fc.boolean(), STEPS, async (isStrict, steps) => {
      const t = newBackend();
      await addCodes(t, ...CODES);
      const people: Person[] = [];
      for (const email of EMAILS) people.push(await admin(t, email));
      const at = (index: number): Person => people[index] as Person;
      if (isStrict) await at(0).as.mutation(api.admin.policies.applyRecommended, {});
      for (const { name, actor, person, pick } of steps) {
        const before = await whoCanSignIn(t);
        if (name === "signIn") {
          await signIn(t, at(person), pick);
          continue;
        }
        // A session of their own; the server refuses it where the person may not act.
        const acting = { ...at(actor), ...(await signedIn(t, at(actor).userId)) };
        await settled(ACTS[name]?.(t, acting, at(person), pick) ?? Promise.resolve());
        if (before.length > 0) expect(await whoCanSignIn(t), name).not.toEqual([]);
      }
    });
    await fc.assert(history, longer(15));
  },
  120_000 * SCALE,
);

test("when two administrators disable each other at the same time, one is refused", async () => {
  stubEnvironment();
  const t = embeddedTest(schema, MODULES);
  await addCodes(t, ...CODES);
  const [root, second] = [await admin(t), await admin(t, "second@bank.example")];
  const disable = ({ as }: Person, { userId }: Person) =>
    as.mutation(api.admin.users.setDisabled, { userId, isDisabled: true, reason });
  const outcomes = await Promise.allSettled([disable(root, second), disable(second, root)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await whoCanSignIn(t)).toHaveLength(1);
});
