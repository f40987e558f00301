/** What the mutating admin functions need in the database to be called. */
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { summaryOf } from "../../convex/model/approvalSummary";
import { getOwn } from "../../convex/model/accounts";
import { issuePair } from "../../convex/model/cards";
import { addUnpostedRows } from "../../convex/model/ledger";
import { makeRejected, recordOf } from "../../convex/model/registrations";
import { getUser } from "../../convex/model/users";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import { APPLICATION } from "./registrationSupport";
import { admin, type Backend, type Person } from "./support";

/** Prepares what a call needs in the database, without writing an audit entry. */
export const PREPARE: Readonly<
  Record<string, (t: Backend, member: Person, applicant: Person) => Promise<string>>
> = {
  "admin/registrations:approve": async (t, _member, { userId }) => {
    await t.run(async (ctx) => {
      const tick = { userId, checkedBy: "x", checkedAt: 1 };
      for (const check of VERIFICATION_CHECKS) {
        await ctx.db.insert("verificationChecks", { ...tick, check });
      }
    });
    return userId;
  },
  "admin/registrations:correct": async (t, _member, { userId }) => {
    await t.run((ctx) => ctx.db.patch("users", userId, recordOf(APPLICATION)));
    return userId;
  },
  "admin/registrations:reopen": async (t, _member, { userId }) => {
    await t.run(async (ctx) => {
      await makeRejected(ctx, await getUser(ctx, userId), "y");
    });
    return userId;
  },
  "admin/accounts:update": accountOf,
  "admin/cards:setStatus": (t, member) => cardOf(t, member),
  "admin/cards:replace": (t, member) => cardOf(t, member, true),
  "admin/transactions:remove": (t, member) => rowOf(t, member),
  "admin/transactions:removeBatch": (t, member) =>
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
  "admin/locks:lift": async (t, { email }) => {
    const waits = { inRow: 10, lockedUntil: Date.now() + 60_000, updatedAt: 1 };
    await t.run((ctx) => ctx.db.insert("passwordAttempts", { email, ...waits }));
    return email;
  },
  "admin/outbox:sendAgain": (t, { userId, email }) =>
    t.run((ctx) =>
      ctx.db.insert("outbox", {
        ...{ userId, to: email, subject: "Hello", body: "Text" },
        ...{ status: "failed", attempts: 12, createdAt: 1, nextAttemptAt: 1 },
      }),
    ),
  "admin/approvals:approve": waitingApproval,
  "admin/approvals:reject": waitingApproval,
};

export async function accountOf(t: Backend, { userId }: Person): Promise<string> {
  const account = await t.run((ctx) =>
    ctx.db
      .query("accounts")
      .withIndex("by_userId_and_type", (q) => q.eq("userId", userId))
      .first(),
  );
  return account?._id ?? "";
}

/** Adds a Pending row on Checking, linked to a deposit when `depositId` is given. */
async function rowOf(
  t: Backend,
  { userId }: Person,
  depositId?: Id<"mobileDeposits">,
): Promise<string> {
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

async function waitingDeposit(t: Backend, member: Person): Promise<string> {
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
  const transactionId = (await rowOf(t, member, depositId)) as Id<"transactions">;
  await t.run((ctx) => ctx.db.patch("mobileDeposits", depositId, { transactionId }));
  return depositId;
}

async function waitingApproval(t: Backend, member: Person): Promise<string> {
  const transactionId = await rowOf(t, member);
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

async function cardOf(t: Backend, { userId, as }: Person, isLost = false): Promise<string> {
  await t.run((ctx) => issuePair(ctx, userId, Date.now()));
  const cardId = (await as.query(api.cards.listMine, {}))[0]?._id ?? "";
  if (isLost) await as.mutation(api.cards.reportLost, { cardId });
  return cardId;
}
