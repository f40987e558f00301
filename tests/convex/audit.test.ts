import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { summaryOf } from "../../convex/model/approvalSummary";
import { getOwn } from "../../convex/model/accounts";
import { addUnpostedRows } from "../../convex/model/ledger";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import { publicFunctions } from "../conformance/publicFunctions";
import { callsOf, PASSWORD } from "./auditCalls";
import { ENTRIES, describeEntry } from "./auditEntries";
import { addCodes, admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  await addCodes(t, "111111");
});

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

test("every mutating admin function has a call here", async () => {
  const mutating = (await publicFunctions()).filter(
    ({ kind, guard }) => guard === "admin" && kind !== "query",
  );
  const paths = mutating.map(({ path }) => path);
  expect(Object.keys(callsOf(t, root)).sort()).toEqual(paths);
  expect(Object.keys(ENTRIES).sort()).toEqual(paths);
});

test.each(Object.keys(ENTRIES))("%s writes exactly one entry, without secrets", async (path) => {
  const member = await person(t, "ada@bank.example");
  const applicant = await person(t, "lena@bank.example", {
    role: "pending",
    status: "pending",
    hasPassedCode: false,
  });
  const id = await PREPARE[path]?.(member, applicant);
  await callsOf(t, root)[path]?.(member, applicant, id ?? "");
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
  await callsOf(t, root)["admin/accounts:update"]?.(ada, ada, accountId);
  expect(await actions({ accountId })).toEqual(["account.update"]);
  expect(await actions({ accountId, action: "restriction.set" })).toEqual([]);
});
