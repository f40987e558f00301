import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { summaryOf } from "../../convex/model/approvalSummary";
import { getOwn } from "../../convex/model/accounts";
import { addUnpostedRows } from "../../convex/model/ledger";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import { publicFunctions } from "../conformance/publicFunctions";
import { ENTRIES, describeEntry } from "./auditEntries";
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

/** Prepares what a call needs in the database, without writing an audit entry. */
const PREPARE: Record<string, (member: Person, applicant: Person) => Promise<string>> = {
  "admin/registrations:approve": async (_member, { userId }) => {
    await t.run(async (ctx) => {
      const tick = { userId, checkedBy: "x", checkedAt: 1 };
      for (const check of VERIFICATION_CHECKS) {
        await ctx.db.insert("verificationChecks", { ...tick, check });
      }
    });
    return userId;
  },
  "admin/accounts:update": accountOf,
  "admin/transactions:remove": (member) => rowOf(member),
  "admin/transactions:removeBatch": (member) =>
    t.run((ctx) =>
      ctx.db.insert("transactionBatches", {
        userId: member.userId,
        createdBy: "x",
        createdAt: 1,
        count: 1,
        updateBalance: false,
      }),
    ),
  "admin/deposits:approve": waitingDeposit,
  "admin/deposits:reject": waitingDeposit,
  "admin/approvals:approve": waitingApproval,
  "admin/approvals:reject": waitingApproval,
};

async function accountOf({ userId }: Person): Promise<string> {
  const account = await t.run((ctx) =>
    ctx.db
      .query("accounts")
      .withIndex("by_userId_and_type", (q) => q.eq("userId", userId))
      .first(),
  );
  return account?._id ?? "";
}

/** Adds a Pending row on Checking, linked to a deposit when `depositId` is given. */
async function rowOf({ userId }: Person, depositId?: Id<"mobileDeposits">): Promise<string> {
  return await t.run(async (ctx) => {
    const account = await getOwn(ctx, userId, "Checking");
    const row = {
      account,
      type: "credit" as const,
      amountCents: 100n,
      description: "Row",
      category: "Deposit" as const,
      date: Date.now(),
      status: "Pending" as const,
      ...(depositId === undefined ? {} : { depositId }),
    };
    const [transactionId] = await addUnpostedRows(ctx, [row], Date.now());
    return transactionId ?? "";
  });
}

async function waitingDeposit(member: Person): Promise<string> {
  const depositId = await t.run(async (ctx) => {
    const image = {
      userId: member.userId,
      storageId: await ctx.storage.store(new Blob(["x"])),
      contentType: "image/png",
      sizeBytes: 1,
      createdAt: 1,
    };
    return await ctx.db.insert("mobileDeposits", {
      userId: member.userId,
      toAccount: "Checking",
      amountCents: 100n,
      status: "Pending Review",
      createdAt: 1,
      frontImageId: await ctx.db.insert("depositImages", { ...image, side: "front" }),
      backImageId: await ctx.db.insert("depositImages", { ...image, side: "back" }),
    });
  });
  const transactionId = (await rowOf(member, depositId)) as Id<"transactions">;
  await t.run((ctx) => ctx.db.patch("mobileDeposits", depositId, { transactionId }));
  return depositId;
}

async function waitingApproval(member: Person): Promise<string> {
  const transactionId = await rowOf(member);
  const asker = await admin(t, "asker@bank.example");
  return await t.run(async (ctx) => {
    const { change, targetLabel, lines } = await summaryOf(ctx, {
      kind: "transactions.remove",
      args: { transactionId },
    });
    return await ctx.db.insert("approvals", {
      change,
      targetLabel,
      lines,
      personId: member.userId,
      requestedBy: asker.userId,
      requestedByEmail: asker.email,
      requestedAt: 1,
      status: "waiting",
    });
  });
}

/** One successful call of each mutating admin function; `id` is what `PREPARE` made. */
const CALLS: Record<string, (member: Person, applicant: Person, id: string) => Promise<unknown>> = {
  "admin/accounts:update": (_member, _applicant, accountId) =>
    root.as.mutation(api.admin.accounts.update, {
      accountId,
      accountNumber: "4810299317",
      routingNumber: "021000021",
      balanceCents: 500n,
      availableCents: 500n,
    }),
  "admin/transactions:addMany": ({ userId }) =>
    root.as.mutation(api.admin.transactions.addMany, {
      userId,
      rows: [
        {
          accountType: "Checking",
          type: "credit",
          amountCents: 100n,
          description: "Row",
          category: "Other",
          date: Date.now(),
          status: "Completed",
        },
      ],
      updateBalance: true,
      requestKey: "one",
    }),
  "admin/transactions:remove": (_member, _applicant, transactionId) =>
    root.as.mutation(api.admin.transactions.remove, { transactionId }),
  "admin/transactions:removeBatch": (_member, _applicant, batchId) =>
    root.as.mutation(api.admin.transactions.removeBatch, { batchId }),
  "admin/transactions:removeAllForUser": ({ email }) =>
    root.as.mutation(api.admin.transactions.removeAllForUser, { email }),
  "admin/transferCounts:resetOne": ({ userId }) =>
    root.as.mutation(api.admin.transferCounts.resetOne, { userId }),
  "admin/transferCounts:resetAll": () => root.as.mutation(api.admin.transferCounts.resetAll, {}),
  "admin/deposits:approve": (_member, _applicant, depositId) =>
    root.as.mutation(api.admin.deposits.approve, { depositId }),
  "admin/deposits:reject": (_member, _applicant, depositId) =>
    root.as.mutation(api.admin.deposits.reject, { depositId, reason: "x" }),
  "admin/health:runLedgerCheck": () => root.as.mutation(api.admin.health.runLedgerCheck, {}),
  "admin/registrations:approve": (_member, { userId }) =>
    root.as.mutation(api.admin.registrations.approve, { userId }),
  "admin/approvals:request": ({ email }) =>
    root.as.mutation(api.admin.approvals.request, {
      change: { kind: "transactions.removeAll", args: { email } },
    }),
  "admin/approvals:approve": (_member, _applicant, approvalId) =>
    root.as.mutation(api.admin.approvals.approve, { approvalId }),
  "admin/approvals:reject": (_member, _applicant, approvalId) =>
    root.as.mutation(api.admin.approvals.reject, { approvalId, reason: "x" }),
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
  "admin/identity:set": ({ userId, email }) =>
    root.as.mutation(api.admin.identity.set, {
      ...{ userId, name: "Ada Abel", email: "ada@mail.example", reason: "x" },
      expected: { name: "ada", email },
    }),
  "admin/users:resetPassword": ({ userId }) =>
    root.as.action(api.admin.users.resetPassword, { userId, reason: "x" }),
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
  "admin/otpCodes:list": () => root.as.action(api.admin.otpCodes.list, {}),
  "admin/otpCodes:add": () => root.as.mutation(api.admin.otpCodes.add, { code: "222222" }),
  "admin/otpCodes:remove": async () => {
    // The last code cannot be removed.
    await addCodes(t, "333333");
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
      const set = { reason: "x", setBy: "x", setAt: 1, expiresAt: 9e12 };
      await ctx.db.insert("restrictions", { userId, ...set });
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

test("every mutating admin function has a call here", async () => {
  const mutating = (await publicFunctions()).filter(
    ({ kind, guard }) => guard === "admin" && kind !== "query",
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
  const id = await PREPARE[path]?.(member, applicant);
  await CALLS[path]?.(member, applicant, id ?? "");
  const entries = await t.run((ctx) => ctx.db.query("auditLog").take(10));
  expect(entries).toHaveLength(1);
  const [entry] = entries;
  expect(entry).toMatchObject({ actorId: root.userId, actorEmail: root.email });
  expect(entry && describeEntry(entry, member, applicant)).toEqual(ENTRIES[path]);
  // A timestamp may contain any six digits.
  const text = JSON.stringify(entries).replaceAll(/\d{13}/g, "#");
  for (const secret of ["111111", "222222", PASSWORD]) expect(text).not.toContain(secret);
});

test("the log is filtered by person, action and actor, newest first", async () => {
  const ada = await person(t, "ada@bank.example");
  const second = await admin(t, "second@bank.example");
  const { userId } = ada;
  await root.as.mutation(api.admin.restrictions.set, { userId, reason: "one" });
  await second.as.mutation(api.admin.restrictions.lift, { userId });
  await second.as.action(api.admin.otpCodes.list, {});
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
  const accountId = await accountOf(ada);
  await CALLS["admin/accounts:update"]?.(ada, ada, accountId);
  expect(await actions({ accountId })).toEqual(["account.update"]);
  expect(await actions({ accountId, action: "restriction.set" })).toEqual([]);
});
