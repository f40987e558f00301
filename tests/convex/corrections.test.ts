import type { FunctionArgs } from "convex/server";
import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { recordOf } from "../../convex/model/registrations";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import { APPLICATION, newReview, reviewSteps, type Review } from "./registrationSupport";
import { person, refusalOf, snapshot, type Person } from "./support";

let t: Review["t"];
let root: Review["root"];
let lena: Review["lena"];

beforeEach(async () => {
  ({ t, root, lena } = await newReview());
});

const { tickAll, approve, reject, userOf } = reviewSteps(() => ({ t, root, lena }));
type Args = FunctionArgs<typeof api.admin.registrations.correct>;

const correct = (
  changes: Partial<Args["application"]>,
  { who = lena, ...rest }: { who?: Person } & Partial<Args> = {},
) =>
  root.as.mutation(api.admin.registrations.correct, {
    userId: who.userId,
    application: { ...APPLICATION, ...changes },
    expected: APPLICATION,
    reason: "Seen on the passport",
    ...rest,
  });

const newestEntry = () => t.run((ctx) => ctx.db.query("auditLog").order("desc").first());

describe("a corrected application", () => {
  test("has what changed in its place, and all else as it was", async () => {
    const before = await userOf(lena.userId);
    await correct({
      firstName: " Helena ",
      dateOfBirth: "1990-02-03",
      city: "Salem",
      phoneNumber: "(555) 010-0777",
      alternativeEmail: "Helena@Mail.example",
      emergencyPhone: "(555) 010-0888",
      idCardType: "National ID",
      idCardNumber: "L8872",
    });
    const after = await userOf(lena.userId);
    expect(after).toEqual({
      ...before,
      updatedAt: after?.updatedAt,
      name: `Helena ${APPLICATION.lastName}`,
      phone: "(555) 010-0777",
      personalInfo: {
        ...before?.personalInfo,
        firstName: "Helena",
        dateOfBirth: "1990-02-03",
        address: { ...before?.personalInfo?.address, city: "Salem" },
      },
      contactDetails: {
        phoneNumber: "(555) 010-0777",
        alternativeEmail: "helena@mail.example",
        emergencyContact: {
          ...before?.contactDetails?.emergencyContact,
          phone: "(555) 010-0888",
        },
      },
      documents: { ...before?.documents, idCardType: "National ID", idCardNumber: "L8872" },
    });
    const { page } = await root.as.query(api.admin.users.list, {
      search: "helena",
      paginationOpts: { numItems: 5, cursor: null },
    });
    expect(page.map(({ _id }) => _id)).toEqual([lena.userId]);
    // An alternative e-mail can be taken out again.
    const { alternativeEmail: _none, ...expected } = { ...APPLICATION, alternativeEmail: "" };
    const now = { ...expected, firstName: "Helena", dateOfBirth: "1990-02-03", city: "Salem" };
    const seen = {
      ...now,
      phoneNumber: "(555) 010-0777",
      emergencyPhone: "(555) 010-0888",
      idCardType: "National ID",
      idCardNumber: "L8872",
    };
    await correct(seen, { expected: { ...seen, alternativeEmail: "helena@mail.example" } });
    expect((await userOf(lena.userId))?.contactDetails).not.toHaveProperty("alternativeEmail");
  });

  test("is told by e-mail, bell and security event: which facts, not what they say", async () => {
    await correct({ dateOfBirth: "1990-02-03", idCardNumber: "L8872" });
    const told = "date of birth, ID number.";
    const [mail] = await t.run((ctx) => ctx.db.query("outbox").take(5));
    const [notice] = await t.run((ctx) => ctx.db.query("notifications").take(5));
    const [event] = await t.run((ctx) => ctx.db.query("securityEvents").take(5));
    expect(mail).toMatchObject({ to: lena.email, subject: "Your details were corrected" });
    for (const text of [mail?.body, notice?.body, event?.text]) {
      expect(text).toContain(told);
      expect(text).not.toMatch(/1990|8872/);
    }
  });

  test("stands in the audit log before and after, the ID number masked", async () => {
    await correct({ idCardNumber: "X01X00T47", city: "Salem" });
    const entry = await newestEntry();
    expect(entry).toMatchObject({
      action: "registration.correct",
      before: JSON.stringify({ city: APPLICATION.city, idCardNumber: "••••0T47" }),
      // The same last characters: the log still shows that it changed.
      after: JSON.stringify({ city: "Salem", idCardNumber: "••••0T47 (corrected)" }),
      reason: "Seen on the passport",
    });
    const expected = { ...APPLICATION, idCardNumber: "X01X00T47", city: "Salem" };
    await correct({ ...expected, idCardNumber: "L8872" }, { expected });
    expect(await newestEntry()).toMatchObject({
      before: JSON.stringify({ idCardNumber: "••••0T47" }),
      after: JSON.stringify({ idCardNumber: "••••" }),
    });
  });

  test("loses the ticks about what changed, and no others, until the decision", async () => {
    const { userId } = lena;
    await tickAll(userId);
    await correct({ dateOfBirth: "1990-02-03", emergencyName: "Jo Fischer" });
    expect(await refusalOf(approve(userId))).toBe("CHECKS_INCOMPLETE");
    const detail = await root.as.query(api.admin.users.get, { userId });
    const ticked = detail?.verificationChecks.map(({ check }) => check) ?? [];
    expect(ticked).toHaveLength(8);
    expect(ticked).not.toContain("dobValid");
    expect(ticked).not.toContain("emergencyContactValid");
    await tickAll(userId);
    await approve(userId);
    const expected = { ...APPLICATION, dateOfBirth: "1990-02-03", emergencyName: "Jo Fischer" };
    await correct({ ...expected, dateOfBirth: "1990-02-04" }, { expected });
    const later = await root.as.query(api.admin.users.get, { userId });
    expect(later?.verificationChecks).toHaveLength(10);
  });

  test.each<[Partial<Args["application"]>, string]>([
    [{ nationality: "Austria" }, "nationalityValid"],
    [{ maritalStatus: "Widowed" }, "maritalStatusValid"],
    [{ street: "9 Oak Way" }, "addressComplete"],
    [{ city: "Salem" }, "addressComplete"],
    [{ state: "NV" }, "addressComplete"],
    [{ country: "Austria" }, "addressComplete"],
    [{ postalCode: "10001" }, "addressComplete"],
    [{ phoneNumber: "(555) 010-0777" }, "phoneValid"],
    [{ emergencyRelationship: "Aunt" }, "emergencyContactValid"],
    [{ emergencyPhone: "(555) 010-0888" }, "emergencyContactValid"],
    [{ idCardType: "National ID" }, "idCardValid"],
    [{ idCardNumber: "L8872" }, "idCardValid"],
  ])("with %j loses one tick: %s", async (changes, lost) => {
    const { userId } = lena;
    await tickAll(userId);
    await correct(changes);
    const detail = await root.as.query(api.admin.users.get, { userId });
    const ticked = detail?.verificationChecks.map(({ check }) => check) ?? [];
    expect(VERIFICATION_CHECKS.filter((check) => !ticked.includes(check))).toEqual([lost]);
  });

  test("stays where its review is, and keeps what was asked", async () => {
    const { userId } = lena;
    const question = { userId, text: "A newer passport?" };
    await root.as.mutation(api.admin.registrations.requestInformation, question);
    const before = await userOf(userId);
    await correct({ idCardNumber: "L8872" });
    expect((await userOf(userId))?.documents).toEqual({
      ...before?.documents,
      idCardNumber: "L8872",
    });
  });

  test("of a member, or of somebody who was one, keeps the name that others pay by", async () => {
    const { userId } = lena;
    await tickAll(userId);
    await approve(userId);
    await correct({ lastName: "Weber" });
    const named = `${APPLICATION.firstName} ${APPLICATION.lastName}`;
    expect(await userOf(userId)).toMatchObject({
      name: named,
      personalInfo: { lastName: "Weber" },
    });
    await reject(userId);
    // The application's name as it first was: the condition on the two names alone would let it follow.
    const expected = { ...APPLICATION, lastName: "Weber" };
    await correct({}, { expected });
    await correct({ lastName: "Vogel" });
    expect((await userOf(userId))?.name).toBe(named);
  });

  test("of an applicant whose name staff have set keeps that name", async () => {
    const { userId, email } = lena;
    const name = `${APPLICATION.firstName} ${APPLICATION.lastName}`;
    await root.as.mutation(api.admin.identity.set, {
      ...{ userId, email, name: "Lena Weber", reason: "Married" },
      expected: { name, email },
    });
    await correct({ firstName: "Helena" });
    expect((await userOf(userId))?.name).toBe("Lena Weber");
  });

  test("is judged for what changes only", async () => {
    const { userId } = lena;
    const record = recordOf(APPLICATION);
    const { country: _none, ...address } = record.personalInfo.address;
    await t.run((ctx) =>
      ctx.db.patch("users", userId, {
        personalInfo: { ...record.personalInfo, dateOfBirth: "03.02.1990", address },
        contactDetails: { phoneNumber: "1" },
        documents: { verificationStatus: "pending" },
      }),
    );
    const blank = { country: "", idCardType: "", idCardNumber: "", phoneNumber: "1" };
    const noContact = { emergencyName: "", emergencyRelationship: "", emergencyPhone: "" };
    const expected = { ...APPLICATION, ...blank, ...noContact, dateOfBirth: "03.02.1990" };
    await correct({ ...expected, city: "Salem" }, { expected });
    const after = await userOf(userId);
    expect(after?.personalInfo).toMatchObject({ dateOfBirth: "03.02.1990" });
    expect(after?.personalInfo?.address).toEqual({ ...address, city: "Salem" });
    expect(after?.contactDetails).toEqual({ phoneNumber: "1" });
    expect(after?.documents).toEqual({ verificationStatus: "pending" });
    const now = { ...expected, city: "Salem" };
    const halfContact = correct({ ...now, emergencyName: "Jo" }, { expected: now });
    expect(await refusalOf(halfContact)).toBe("FILL_REQUIRED_FIELDS");
    // From before there were contact details.
    await t.run((ctx) => ctx.db.patch("users", userId, { phone: "2", contactDetails: undefined }));
    const older = { ...now, phoneNumber: "2" };
    await correct({ ...older, country: "Germany" }, { expected: older });
    expect(await userOf(userId)).toMatchObject({
      phone: "2",
      contactDetails: { phoneNumber: "2" },
    });
    expect((await userOf(userId))?.personalInfo?.address.country).toBe("Germany");
  });
});

describe("a correction is refused, and writes nothing", () => {
  test.each<[string, Partial<Args["application"]>, Partial<Args>]>([
    ["STALE_EDIT", {}, { expected: { ...APPLICATION, city: "Elsewhere" } }],
    ["FILL_REQUIRED_FIELDS", { city: " " }, {}],
    ["FILL_REQUIRED_FIELDS", { maritalStatus: "Unsure" }, {}],
    ["INVALID_DATE_OF_BIRTH", { dateOfBirth: "2999-01-01" }, {}],
    ["INVALID_EMAIL", { alternativeEmail: "x" }, {}],
    ["INVALID_TEXT", { idCardNumber: "a\u0000b" }, { reason: " " }],
    ["NOTHING_CHANGED", { city: ` ${APPLICATION.city} ` }, { reason: " " }],
    ["REASON_REQUIRED", { city: "Salem" }, { reason: " " }],
    ["INVALID_TEXT", { city: "Salem" }, { reason: "a\u0000b" }],
  ])("with %s: %j", async (code, changes, rest) => {
    const before = await snapshot(t);
    expect(await refusalOf(correct(changes, rest))).toBe(code);
    expect(await snapshot(t)).toBe(before);
  });

  test("of one's own application, and of people who never applied", async () => {
    const before = await snapshot(t);
    expect(await refusalOf(correct({ city: "Salem" }, { who: root }))).toBe(
      "OWN_ACCOUNT_FORBIDDEN",
    );
    expect(await snapshot(t)).toBe(before);
    const ada = await person(t, "ada@bank.example");
    expect(await refusalOf(correct({ city: "Salem" }, { who: ada }))).toBe("NOT_FOUND");
  });
});
