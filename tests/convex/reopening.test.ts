import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { newReview, reviewSteps, type Review } from "./registrationSupport";
import { addCodes, person, refusalOf, snapshot } from "./support";

let t: Review["t"];
let root: Review["root"];
let lena: Review["lena"];

beforeEach(async () => {
  ({ t, root, lena } = await newReview());
});

const { tickAll, approve, reject, userOf } = reviewSteps(() => ({ t, root, lena }));
const reopen = (userId: Id<"users">, reason = "A newer document") =>
  root.as.mutation(api.admin.registrations.reopen, { userId, reason });

describe("a rejected application that is reopened", () => {
  test("is where a review begins, and the applicant's open page is told", async () => {
    await tickAll(lena.userId);
    await reject(lena.userId);
    expect(await lena.as.query(api.viewer.get, {})).toMatchObject({ place: "rejected" });
    await reopen(lena.userId);
    const after = await userOf(lena.userId);
    expect(after).toMatchObject({
      role: "pending",
      status: "pending",
      documents: { verificationStatus: "pending", idCardNumber: "C01X00T47" },
    });
    expect(after).not.toHaveProperty("rejectionReason");
    expect(after).not.toHaveProperty("rejectedAt");
    expect(await t.run((ctx) => ctx.db.query("verificationChecks").take(20))).toEqual([]);
    const viewer = await lena.as.query(api.viewer.get, {});
    expect(viewer).toMatchObject({ place: "pending", home: "/pending-approval" });
    expect(viewer).not.toHaveProperty("rejectionReason");
    const mine = await lena.as.query(api.registrations.mine, {});
    expect(mine).toMatchObject({ status: "pending" });
    // The copy of the rejection stays.
    expect(await t.run((ctx) => ctx.db.query("rejectedApplications").take(5))).toHaveLength(1);
    const counts = await root.as.query(api.admin.users.counts, {});
    expect(counts).toMatchObject({ pending: 1, rejected: 0 });
  });

  test("is announced by bell, by e-mail and as a security event", async () => {
    await reject(lena.userId);
    await reopen(lena.userId);
    const notice = await t.run((ctx) => ctx.db.query("notifications").order("desc").first());
    expect(notice).toMatchObject({
      userId: lena.userId,
      body: "We are looking at your application again.",
    });
    const mail = await t.run((ctx) => ctx.db.query("outbox").order("desc").first());
    expect(mail).toMatchObject({ to: lena.email, subject: notice?.body.slice(0, -1) });
    expect(mail?.body).toContain("You need not apply again");
    expect(mail?.body).not.toContain("A newer document");
    const events = await t.run((ctx) => ctx.db.query("securityEvents").take(5));
    expect(events.map(({ text }) => text)).toEqual(["Staff reopened your application."]);
  });

  test("does not tell somebody whose sign-in is disabled to sign in", async () => {
    const { userId } = lena;
    await reject(userId);
    const disabling = { userId, isDisabled: true, reason: "Lost phone" };
    await root.as.mutation(api.admin.users.setDisabled, disabling);
    await reopen(userId);
    const mail = await t.run((ctx) => ctx.db.query("outbox").order("desc").first());
    expect(mail?.body).toContain("looking at it again. Your sign-in is disabled.");
    expect(mail?.body).not.toContain("sign in to see");
  });

  test("can be asked about, answered, ticked and approved like the first time", async () => {
    const { userId } = lena;
    await reject(userId);
    const question = { userId, text: "A newer passport?" };
    const { requestInformation } = api.admin.registrations;
    expect(await refusalOf(root.as.mutation(requestInformation, question))).toBe("ALREADY_DECIDED");
    await reopen(userId);
    await root.as.mutation(requestInformation, question);
    const { infoRequest } = await lena.as.query(api.registrations.mine, {});
    const requestId = infoRequest?.requestId as Id<"infoRequests">;
    await lena.as.mutation(api.registrations.answerInformation, { requestId, answer: "Here" });
    expect(await refusalOf(approve(userId))).toBe("CHECKS_INCOMPLETE");
    await tickAll(userId);
    await approve(userId);
    await addCodes(t, "111111");
    await lena.as.mutation(api.otp.verifyLogin, { code: "111111" });
    expect(await lena.as.query(api.accounts.listMine, {})).toHaveLength(2);
  });

  test("waits again for the answer to a question from before the rejection, and says when it is there", async () => {
    const { userId } = lena;
    const { requestInformation } = api.admin.registrations;
    await root.as.mutation(requestInformation, { userId, text: "A newer passport?" });
    await reject(userId);
    await reopen(userId);
    const hasAnswered = async () => {
      const paginationOpts = { numItems: 9, cursor: null };
      const { page } = await root.as.query(api.admin.users.list, { paginationOpts });
      return page.find(({ _id }) => _id === userId)?.hasAnswered;
    };
    expect(await hasAnswered()).toBe(false);
    const { infoRequest } = await lena.as.query(api.registrations.mine, {});
    const requestId = infoRequest?.requestId as Id<"infoRequests">;
    await lena.as.mutation(api.registrations.answerInformation, { requestId, answer: "Here" });
    expect(await hasAnswered()).toBe(true);
  });

  test("can be rejected again", async () => {
    await reject(lena.userId, "First");
    await reopen(lena.userId);
    await reject(lena.userId, "Second");
    expect(await userOf(lena.userId)).toMatchObject({
      status: "rejected",
      rejectionReason: "Second",
    });
  });
});

describe("refuses, and writes nothing", () => {
  test("without a reason, then whoever is not rejected", async () => {
    const before = await snapshot(t);
    expect(await refusalOf(reopen(lena.userId, " "))).toBe("REASON_REQUIRED");
    expect(await refusalOf(reopen(lena.userId, "a\u0000b"))).toBe("INVALID_TEXT");
    expect(await refusalOf(reopen(lena.userId))).toBe("ALREADY_DECIDED");
    expect(await snapshot(t)).toBe(before);
    await reject(lena.userId);
    await reopen(lena.userId);
    expect(await refusalOf(reopen(lena.userId))).toBe("ALREADY_DECIDED");
  });

  test.each([
    ["who applied", {}],
    ["whom staff created", { createdBy: "root@bank.example", status: "active" as const }],
  ])(
    "a member %s, whose membership a rejection ended: an approval takes that back",
    async (_who, fields) => {
      const ada = await person(t, "ada@bank.example", fields);
      await reject(ada.userId);
      const before = await snapshot(t);
      expect(await refusalOf(reopen(ada.userId))).toBe("ALREADY_DECIDED");
      expect(await snapshot(t)).toBe(before);
      const detail = await root.as.query(api.admin.users.get, { userId: ada.userId });
      expect(detail?.isFormerMember).toBe(true);
      await tickAll(ada.userId);
      await approve(ada.userId);
      const again = await root.as.query(api.admin.users.get, { userId: ada.userId });
      expect(again).toMatchObject({ status: "approved", isFormerMember: false, accountCount: 2 });
    },
  );

  test("an administrator whom an operator made, who has no accounts", async () => {
    const nora = await person(t, "nora@bank.example", {
      createdBy: "operator",
      role: "pending",
      status: "rejected",
      hasPassedCode: false,
    });
    expect(await refusalOf(reopen(nora.userId))).toBe("ALREADY_DECIDED");
  });
});
