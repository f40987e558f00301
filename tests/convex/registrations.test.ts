import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { DEMO_APPLICANTS } from "../../convex/model/dev/demoPeople";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import { stubAuthKeys } from "./authKeys";
import { newReview, reviewSteps, type Review } from "./registrationSupport";
import { addCodes, admin, person, refusalOf, signedIn, snapshot } from "./support";

let t: Review["t"];
let root: Review["root"];
let lena: Review["lena"];

beforeEach(async () => {
  ({ t, root, lena } = await newReview());
});

const { tickAll, approve, reject, userOf } = reviewSteps(() => ({ t, root, lena }));
const auditActions = async () => {
  const entries = await t.run((ctx) => ctx.db.query("auditLog").take(100));
  return entries.map(({ action }) => action);
};

test("an application is kept as it was sent, each text in its place", async () => {
  await stubAuthKeys();
  const application = DEMO_APPLICANTS[0]!.application;
  const params = {
    flow: "signUp",
    email: "zoe@bank.example",
    password: "k7#Pwz long",
    application,
  };
  await t.action(api.auth.signIn, { provider: "password", params });
  const user = await t.run((ctx) => ctx.db.query("users").order("desc").first());
  const { firstName, lastName, dateOfBirth, nationality, maritalStatus } = application;
  const { street, city, state, country, postalCode } = application;
  const { phoneNumber, idCardType, idCardNumber } = application;
  expect(user).toMatchObject({
    name: `${firstName} ${lastName}`,
    phone: phoneNumber,
    personalInfo: { firstName, lastName, dateOfBirth, nationality, maritalStatus },
    contactDetails: {
      phoneNumber,
      emergencyContact: {
        name: application.emergencyName,
        relationship: application.emergencyRelationship,
        phone: application.emergencyPhone,
      },
    },
    documents: { idCardType, idCardNumber, verificationStatus: "pending" },
  });
  expect(user?.personalInfo?.address).toEqual({ street, city, state, country, postalCode });
});

describe("approval", () => {
  test("counts a tick that was sent twice once", async () => {
    const { userId } = lena;
    const setFirst = (isChecked: boolean) =>
      root.as.mutation(api.admin.registrations.setCheck, {
        userId,
        check: VERIFICATION_CHECKS[0],
        isChecked,
      });
    await tickAll(userId);
    await setFirst(true);
    await setFirst(false);
    expect(await refusalOf(approve(userId))).toBe("CHECKS_INCOMPLETE");
    await setFirst(true);
    await setFirst(true);
    await approve(userId);
    expect((await userOf(userId))?.status).toBe("approved");
  });

  test("needs all ten checks ticked", async () => {
    const { userId } = lena;
    expect(await refusalOf(approve(userId))).toBe("CHECKS_INCOMPLETE");
    await tickAll(userId);
    await root.as.mutation(api.admin.registrations.setCheck, {
      userId,
      check: "idCardClear",
      isChecked: false,
    });
    const before = await snapshot(t);
    expect(await refusalOf(approve(userId))).toBe("CHECKS_INCOMPLETE");
    expect(await snapshot(t)).toBe(before);
  });

  test("creates two accounts and two cards, copies the application, and notifies by bell and e-mail", async () => {
    const { userId } = lena;
    await tickAll(userId);
    await approve(userId);
    expect(await userOf(userId)).toMatchObject({
      role: "user",
      status: "approved",
      documents: { verificationStatus: "verified", idCardNumber: "C01X00T47" },
    });
    const detail = await root.as.query(api.admin.users.get, { userId });
    const checkedBy = detail?.verificationChecks.map((tick) => tick.checkedBy);
    expect(new Set(checkedBy)).toEqual(new Set([root.email]));
    const accounts = await t.run((ctx) => ctx.db.query("accounts").take(20));
    const own = accounts.filter((account) => account.userId === userId);
    expect(own.map(({ type, balanceCents }) => [type, balanceCents])).toEqual([
      ["Checking", 0n],
      ["Savings", 0n],
    ]);
    for (const { accountNumber, routingNumber } of own) {
      expect(accountNumber).toMatch(/^\d{8}$/u);
      expect(routingNumber).toBe("021000021");
    }
    expect(await t.run((ctx) => ctx.db.query("cards").take(5))).toHaveLength(2);
    const copies = await t.run((ctx) => ctx.db.query("approvedUsers").take(5));
    expect(copies).toMatchObject([{ userId, email: lena.email, personalInfo: {} }]);
    const [notice] = await t.run((ctx) => ctx.db.query("notifications").take(5));
    expect(notice).toMatchObject({ userId, kind: "registration" });
    const [mail] = await t.run((ctx) => ctx.db.query("outbox").take(5));
    expect(mail).toMatchObject({ to: lena.email, status: "queued" });
  });

  test("does not tell somebody whose sign-in is disabled that they can sign in", async () => {
    const { userId } = lena;
    await tickAll(userId);
    const disabling = { userId, isDisabled: true, reason: "Lost phone" };
    await root.as.mutation(api.admin.users.setDisabled, disabling);
    await approve(userId);
    const mail = await t.run((ctx) => ctx.db.query("outbox").order("desc").first());
    expect(mail?.body).toContain("has been approved. Your sign-in is disabled. To use it again,");
    expect(mail?.body).not.toContain("You can sign in now");
  });

  test("moves the applicant's open session on to the code step", async () => {
    await addCodes(t, "111111");
    expect(await lena.as.query(api.viewer.get, {})).toMatchObject({ place: "pending" });
    await tickAll(lena.userId);
    await approve(lena.userId);
    expect(await lena.as.query(api.viewer.get, {})).toMatchObject({ place: "otp", home: "/login" });
    await lena.as.mutation(api.otp.verifyLogin, { code: "111111" });
    expect(await lena.as.query(api.accounts.listMine, {})).toHaveLength(2);
  });

  test("either decision is refused and writes nothing when the screen showed an outdated status", async () => {
    const { userId } = lena;
    const { approve: approveSeen, reject: rejectSeen } = api.admin.registrations;
    await tickAll(userId);
    await root.as.mutation(approveSeen, { userId, seenStatus: "pending" });
    const before = await snapshot(t);
    const late = { userId, reason: "Too late", seenStatus: "pending" as const };
    expect(await refusalOf(root.as.mutation(rejectSeen, late))).toBe("ALREADY_DECIDED");
    const blank = { ...late, reason: " " };
    expect(await refusalOf(root.as.mutation(rejectSeen, blank))).toBe("REASON_REQUIRED");
    expect(await snapshot(t)).toEqual(before);
    await root.as.mutation(rejectSeen, { ...late, seenStatus: "approved" });
    const stale = root.as.mutation(approveSeen, { userId, seenStatus: "approved" });
    expect(await refusalOf(stale)).toBe("ALREADY_DECIDED");
    await root.as.mutation(approveSeen, { userId, seenStatus: "rejected" });
  });

  test("happens once", async () => {
    await tickAll(lena.userId);
    await approve(lena.userId);
    const before = await snapshot(t);
    expect(await refusalOf(approve(lena.userId))).toBe("ALREADY_DECIDED");
    expect(await snapshot(t)).toBe(before);
  });
});

describe("rejection", () => {
  test("stores the reason and a copy, sets the role to pending, and notifies by bell and e-mail", async () => {
    await reject(lena.userId, "  No valid document ");
    expect(await userOf(lena.userId)).toMatchObject({
      role: "pending",
      status: "rejected",
      rejectionReason: "No valid document",
      documents: { verificationStatus: "rejected", idCardNumber: "C01X00T47" },
    });
    expect(await refusalOf(reject(lena.userId, "Another reason"))).toBe("ALREADY_DECIDED");
    const copies = await t.run((ctx) => ctx.db.query("rejectedApplications").take(5));
    expect(copies).toMatchObject([{ userId: lena.userId, rejectionReason: "No valid document" }]);
    expect(await lena.as.query(api.viewer.get, {})).toMatchObject({
      place: "rejected",
      home: "/pending-approval",
      rejectionReason: "No valid document",
    });
    expect(await lena.as.query(api.viewer.get, {})).not.toHaveProperty("isFormerMember");
    expect(await t.run((ctx) => ctx.db.query("securityEvents").take(5))).toEqual([]);
    const [notice] = await t.run((ctx) => ctx.db.query("notifications").take(5));
    expect(notice).toMatchObject({ userId: lena.userId, body: "No valid document" });
    const [mail] = await t.run((ctx) => ctx.db.query("outbox").take(5));
    expect(mail).toMatchObject({ to: lena.email, status: "queued" });
    expect(mail?.body).toContain("No valid document");
    expect(mail?.body).toMatch(/^Hello,\n/);
  });

  test("removes a member's rights at once, in every open session", async () => {
    const passwordGiven = { by: root.email, at: Date.now(), credential: "x" };
    const ada = await person(t, "ada@bank.example", { passwordGiven });
    await signedIn(t, ada.userId);
    await ada.as.query(api.accounts.listMine, {});
    await reject(ada.userId);
    expect(await refusalOf(ada.as.query(api.accounts.listMine, {}))).toBe("NOT_APPROVED");
    const copy = await t.run((ctx) => ctx.db.query("rejectedApplications").first());
    expect(copy).not.toHaveProperty("passwordGiven");
    // Told what it is to a member, by name, and not as an applicant.
    const told = "Your membership has ended. Reason: No valid document";
    const [notice] = await t.run((ctx) => ctx.db.query("notifications").take(5));
    expect(notice).toMatchObject({ userId: ada.userId, title: "Membership ended", body: told });
    const [mail] = await t.run((ctx) => ctx.db.query("outbox").take(5));
    expect(mail).toMatchObject({ to: ada.email, subject: "Your membership has ended" });
    expect(mail?.body).toContain(`Hello ada,\n\n${told}\n`);
    const [event] = await t.run((ctx) => ctx.db.query("securityEvents").take(5));
    expect(event).toMatchObject({ userId: ada.userId, text: "Staff ended your membership." });
    const viewer = await ada.as.query(api.viewer.get, {});
    expect(viewer).toMatchObject({ place: "rejected", isFormerMember: true });
    // Only the administrator's session is left.
    expect(await t.run((ctx) => ctx.db.query("sessionFactors").take(5))).toHaveLength(1);
    expect(await t.run((ctx) => ctx.db.query("sessionActivity").take(5))).toHaveLength(1);
  });

  test.each([
    ["", "REASON_REQUIRED"],
    [" \n ", "REASON_REQUIRED"],
    ["a\u0000b", "INVALID_TEXT"],
    ["x".repeat(100_000), "INVALID_TEXT"],
  ])("refuses the reason %#", async (reason, code) => {
    expect(await refusalOf(reject(lena.userId, reason))).toBe(code);
  });

  test("is refused for oneself; another administrator may do it", async () => {
    expect(await refusalOf(reject(root.userId))).toBe("OWN_ACCOUNT_FORBIDDEN");
    const second = await admin(t, "second@bank.example");
    await second.as.mutation(api.admin.registrations.reject, {
      userId: root.userId,
      reason: "Left",
    });
    expect(await refusalOf(root.as.query(api.admin.users.counts, {}))).toBe("NOT_APPROVED");
  });
});

test("every decision writes exactly one audit entry", async () => {
  const { userId } = lena;
  await tickAll(userId);
  await root.as.mutation(api.admin.registrations.requestInformation, { userId, text: "More?" });
  await reject(userId);
  await approve(userId);
  expect(await auditActions()).toEqual([
    ...VERIFICATION_CHECKS.map(() => "registration.setCheck"),
    "registration.requestInformation",
    "registration.reject",
    "registration.approve",
  ]);
  const approved = await userOf(userId);
  expect(approved).not.toHaveProperty("rejectionReason");
  expect(approved).not.toHaveProperty("rejectedAt");
});
