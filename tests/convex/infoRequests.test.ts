/** Requests for information: asked by administrators, answered by the applicant. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { findByEmail } from "../../convex/model/users";
import { enter, stubAuthKeys } from "./authKeys";
import { bellOf } from "./moneySupport";
import { newReview, reviewSteps, type Review } from "./registrationSupport";
import { admin, person, refusalOf } from "./support";

let t: Review["t"];
let root: Review["root"];
let lena: Review["lena"];

beforeEach(async () => {
  ({ t, root, lena } = await newReview());
});

const { tickAll, approve, reject, userOf } = reviewSteps(() => ({ t, root, lena }));
const ask = (text: string) =>
  root.as.mutation(api.admin.registrations.requestInformation, { userId: lena.userId, text });

test("a request reaches the applicant, leaves the status, and its answer reaches the administrator", async () => {
  await ask("Please send a newer document.");
  expect(await userOf(lena.userId)).toMatchObject({
    status: "pending",
    documents: {
      verificationStatus: "info_requested",
      infoRequest: "Please send a newer document.",
      infoRequestedAt: expect.any(Number) as number,
      // What the application says stays.
      idCardNumber: "C01X00T47",
    },
  });
  const mine = await lena.as.query(api.registrations.mine, {});
  expect(mine).toMatchObject({
    status: "pending",
    infoRequest: { text: "Please send a newer document." },
  });
  const requestId = mine.infoRequest?.requestId;
  if (requestId === undefined) throw new Error("No request");
  expect(mine.infoRequest).not.toHaveProperty("answeredAt");
  const [note] = await t.run((ctx) => ctx.db.query("notifications").take(1));
  expect(note).toMatchObject({ userId: lena.userId, body: "Please send a newer document." });
  const [mail] = await t.run((ctx) => ctx.db.query("outbox").take(1));
  expect(mail?.to).toBe(lena.email);
  expect(mail?.body).toContain("Please send a newer document.");
  await lena.as.mutation(api.registrations.answerInformation, { requestId, answer: "Done." });
  const detail = await root.as.query(api.admin.users.get, { userId: lena.userId });
  expect(detail).toMatchObject({ infoRequests: [{ answer: "Done." }] });
  expect(detail).toHaveProperty("infoRequests.0.answeredAt");
  const again = { requestId, answer: "Again." };
  const call = lena.as.mutation(api.registrations.answerInformation, again);
  expect(await refusalOf(call)).toBe("ALREADY_ANSWERED");
});

test("a request waits for its turn behind another one: each is shown to the applicant, each answer is kept", async () => {
  const answer = async (text: string) => {
    const { infoRequest } = await lena.as.query(api.registrations.mine, {});
    if (infoRequest === null) throw new Error("No request");
    const args = { requestId: infoRequest.requestId, answer: `${infoRequest.text} ${text}` };
    await lena.as.mutation(api.registrations.answerInformation, args);
  };
  await ask("Your passport?");
  // Sent again, from a page that was reloaded meanwhile.
  await ask("Your passport?");
  await ask("Your address?");
  await answer("Here.");
  await answer("There.");
  expect((await lena.as.query(api.registrations.mine, {})).infoRequest).toMatchObject({
    answer: "Your address? There.",
  });
  expect(await root.as.query(api.admin.users.get, { userId: lena.userId })).toMatchObject({
    infoRequests: [{ answer: "Your address? There." }, { answer: "Your passport? Here." }],
  });
  // The answer was not enough.
  await ask("Your passport?");
  const { infoRequest } = await lena.as.query(api.registrations.mine, {});
  expect(infoRequest?.text).toBe("Your passport?");
  expect(infoRequest).not.toHaveProperty("answer");
});

test("a request is stored for an applicant who signed up without an application, too", async () => {
  await stubAuthKeys();
  await enter(t, "signUp", "max@bank.example", "correct horse battery");
  const max = await t.run((ctx) => findByEmail(ctx, "max@bank.example"));
  expect(max?.documents).toEqual({ verificationStatus: "pending" });
  if (max === null) throw new Error("nobody signed up");
  const args = { userId: max._id, text: "Please apply in full." };
  await root.as.mutation(api.admin.registrations.requestInformation, args);
  expect((await userOf(max._id))?.documents).toMatchObject({
    verificationStatus: "info_requested",
    infoRequest: "Please apply in full.",
  });
  await root.as.mutation(api.admin.registrations.reject, { userId: max._id, reason: "No" });
  expect((await userOf(max._id))?.documents?.verificationStatus).toBe("rejected");
});

test("an answer is in the bell of everybody who may decide, and marked in the list until the next question", async () => {
  const second = await admin(t, "second@bank.example");
  const gone = await admin(t, "gone@bank.example");
  await t.run((ctx) => ctx.db.patch("users", gone.userId, { disabledAt: 1 }));
  const marked = async () => {
    const paginationOpts = { numItems: 10, cursor: null };
    const { page } = await root.as.query(api.admin.users.list, { paginationOpts });
    return page.filter(({ hasAnswered }) => hasAnswered).map(({ email }) => email);
  };
  const answer = async () => {
    const { infoRequest } = await lena.as.query(api.registrations.mine, {});
    if (infoRequest === null) throw new Error("No request");
    const args = { requestId: infoRequest.requestId, answer: "Here." };
    await lena.as.mutation(api.registrations.answerInformation, args);
  };
  await ask("Your passport?");
  await ask("Your address?");
  await answer();
  expect(await marked()).toEqual([]);
  await answer();
  expect(await marked()).toEqual([lena.email]);
  for (const { as } of [root, second]) {
    const notices = await as.query(api.notifications.mine, {});
    expect(notices.map(({ title }) => title)).toEqual(Array(2).fill("An applicant has answered"));
    expect(notices[0]?.body).toBe(
      `${lena.email} has answered a request for information. See Pending Review.`,
    );
  }
  await t.run((ctx) => ctx.db.patch("users", gone.userId, { disabledAt: undefined }));
  expect(await bellOf(gone)).toEqual([]);
  await ask("Which of them?");
  expect(await marked()).toEqual([]);
  await answer();
  await tickAll(lena.userId);
  await approve(lena.userId);
  expect(await marked()).toEqual([]);
});

test("an answer from a page that had not heard of the decision is kept, and rings no bell", async () => {
  await ask("Your passport?");
  const { infoRequest } = await lena.as.query(api.registrations.mine, {});
  if (infoRequest === null) throw new Error("No request");
  await reject(lena.userId, "Incomplete");
  const args = { requestId: infoRequest.requestId, answer: "Here." };
  await lena.as.mutation(api.registrations.answerInformation, args);
  expect(await bellOf(root)).toEqual([]);
  expect(await root.as.query(api.admin.users.get, { userId: lena.userId })).toMatchObject({
    infoRequests: [{ answer: "Here." }],
  });
});

test("a request can be answered by its own applicant only; for others its id does not exist", async () => {
  await ask("Please send a newer document.");
  const mine = await lena.as.query(api.registrations.mine, {});
  const requestId = mine.infoRequest?.requestId;
  if (requestId === undefined) throw new Error("No request");
  const other = await person(t, "max@bank.example", {
    role: "pending",
    status: "pending",
    hasPassedCode: false,
  });
  const call = other.as.mutation(api.registrations.answerInformation, { requestId, answer: "x" });
  expect(await refusalOf(call)).toBe("NOT_FOUND");
});

test("a request to somebody whose sign-in is disabled does not tell them to sign in", async () => {
  const { userId } = lena;
  const disabling = { userId, isDisabled: true, reason: "Lost phone" };
  await root.as.mutation(api.admin.users.setDisabled, disabling);
  await ask("Your passport?");
  const mail = await t.run((ctx) => ctx.db.query("outbox").order("desc").first());
  expect(mail?.body).toContain("Your passport?\n\nYour sign-in is disabled. To use it again,");
  expect(mail?.body).not.toContain("Please sign in");
});

test("somebody without a status waits as well, and can be asked", async () => {
  await t.run((ctx) => ctx.db.patch("users", lena.userId, { status: undefined }));
  await ask("Your passport?");
  const { infoRequest } = await lena.as.query(api.registrations.mine, {});
  expect(infoRequest?.text).toBe("Your passport?");
});

test("somebody without a status counts among all, and among no filter's people", async () => {
  const counts = () => root.as.query(api.admin.users.counts, {});
  const before = await counts();
  await person(t, "max@bank.example", { role: "pending", status: undefined });
  expect(await counts()).toEqual({ ...before, all: before.all + 1 });
});

test("a request is refused once the applicant was approved or rejected", async () => {
  const { userId } = lena;
  await tickAll(userId);
  await approve(userId);
  expect(await refusalOf(ask("Your passport?"))).toBe("ALREADY_DECIDED");
  expect((await userOf(userId))?.documents?.verificationStatus).toBe("verified");
  await reject(userId);
  expect(await refusalOf(ask("Your passport?"))).toBe("ALREADY_DECIDED");
  expect((await userOf(userId))?.documents?.verificationStatus).toBe("rejected");
  expect(await t.run((ctx) => ctx.db.query("infoRequests").take(1))).toEqual([]);
});

test("the status page asks members for their code first", async () => {
  const ada = await person(t, "ada@bank.example");
  expect(await ada.as.query(api.registrations.mine, {})).toMatchObject({ status: "approved" });
  await ask("Your passport?");
  const { infoRequest } = await lena.as.query(api.registrations.mine, {});
  if (infoRequest === null) throw new Error("No request");
  await tickAll(lena.userId);
  await approve(lena.userId);
  expect(await refusalOf(lena.as.query(api.registrations.mine, {}))).toBe("OTP_REQUIRED");
  const answer = { requestId: infoRequest.requestId, answer: "Here." };
  const call = lena.as.mutation(api.registrations.answerInformation, answer);
  expect(await refusalOf(call)).toBe("OTP_REQUIRED");
});
