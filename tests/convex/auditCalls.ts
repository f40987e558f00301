/** One successful call of each mutating admin function. */
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { APPLICATION } from "./registrationSupport";
import { addCodes, type Backend, type Person } from "./support";

export const PASSWORD = "a long enough one";
const BALANCES = { availableCents: 0n, balanceCents: 0n };

/** What makes a call; `id` is what audit.test prepared for it. */
type Call = (member: Person, applicant: Person, id: string) => Promise<unknown>;

/** By function, as the administrator `root`. */
export const callsOf = (t: Backend, root: Person): Record<string, Call> => ({
  "admin/accounts:update": (_member, _applicant, accountId) =>
    root.as.mutation(api.admin.accounts.update, {
      accountId,
      accountNumber: "4810299317",
      routingNumber: "021000021",
      balanceCents: 500n,
      availableCents: 500n,
    }),
  "admin/cards:setStatus": (_member, _applicant, cardId) =>
    root.as.mutation(api.admin.cards.setStatus, { cardId, status: "Locked", reason: "x" }),
  "admin/cards:replace": (_member, _applicant, cardId) =>
    root.as.mutation(api.admin.cards.replace, { cardId, reason: "x" }),
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
  "admin/statements:open": async (member) => {
    const userId = member.userId;
    const [account] = await t.run((ctx) => ctx.db.query("accounts").take(1));
    if (account === undefined) throw new Error("No account");
    const month = { userId, accountId: account._id, month: "2024-03", netCents: 0n, totals: [] };
    await t.run((ctx) => ctx.db.insert("accountMonths", month));
    const choice = { userId, accountType: "Checking" as const, period: "2024-03" };
    await root.as.mutation(api.admin.statements.open, choice);
  },
  "admin/locks:lift": ({ userId }) =>
    root.as.mutation(api.admin.locks.lift, { userId, reason: "x" }),
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
  "admin/registrations:correct": (_member, { userId }) =>
    root.as.mutation(api.admin.registrations.correct, {
      ...{ userId, expected: APPLICATION, reason: "x" },
      application: { ...APPLICATION, nationality: "Austrian", idCardNumber: "C01X00T99" },
    }),
  "admin/registrations:reopen": (_member, { userId }) =>
    root.as.mutation(api.admin.registrations.reopen, { userId, reason: "x" }),
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
  "admin/outbox:sendAgain": (_member, _applicant, mailId) =>
    root.as.mutation(api.admin.outbox.sendAgain, { mailId: mailId as Id<"outbox"> }),
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
});
