/**
 * Every rule table of the identity forms, in order. Each row violates its own rule and as many later ones as
 * possible, and must still be refused with its own code. A rule without a row fails the test.
 */
import { expect, test } from "vitest";
import type {} from "../../../convex/shared/errors";
import { CONTACT_RULES, type ContactDraft } from "../../../convex/shared/rules/contact";
import { CREATE_USER_RULES } from "../../../convex/shared/rules/createUser";
import {
  CONTACT_DETAILS_RULES,
  PASSWORD_CHANGE_RULES,
  type ContactDetailsDraft,
} from "../../../convex/shared/rules/profile";
import { APPROVAL_RULES, type ApprovalDraft } from "../../../convex/shared/rules/registration";
import { firstRefusal, refusalsByField } from "../../../convex/shared/rules/rule";
import { SIGNUP_RULES, applicationOf, type SignupDraft } from "../../../convex/shared/rules/signup";
import { MESSAGE_RULES } from "../../../convex/shared/rules/text";
import { VERIFICATION_CHECKS } from "../../../convex/shared/validators";
import { testRules } from "./testRules";

const LONG = "x".repeat(100_000);

const APPLICANT: SignupDraft = {
  email: "ada@x.com",
  password: "correct horse",
  confirmPassword: "correct horse",
  firstName: "Ada",
  lastName: "Abel",
  dateOfBirth: "1990-02-28",
  nationality: "United States",
  maritalStatus: "Single",
  street: "1 Main Street",
  city: "Albany",
  state: "NY",
  country: "US",
  postalCode: "12207",
  phoneNumber: "555",
  emergencyName: "Ben",
  emergencyRelationship: "Brother",
  emergencyPhone: "556",
  idCardType: "Passport",
  idCardNumber: "X1",
};
const SIGNUP_FACTS = { todayIso: "2026-11-21", passwordMinLength: 8 };
const LONG_EMAIL = `${"a".repeat(60)}@${"b.".repeat(90)}com`;
const LATER = { dateOfBirth: "soon", alternativeEmail: "x", postalCode: LONG };

testRules("sign-up", SIGNUP_RULES, { draft: APPLICANT, facts: SIGNUP_FACTS }, [
  ["INVALID_EMAIL", { email: "x", password: "", idCardNumber: "" }],
  ["PASSWORDS_DIFFER", { password: "", firstName: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { password: "", confirmPassword: "", firstName: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { firstName: " ", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { lastName: "\u200b\u00ad", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { dateOfBirth: "" }],
  ["FILL_REQUIRED_FIELDS", { nationality: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { maritalStatus: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { street: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { city: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { state: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { country: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { postalCode: "" }],
  ["FILL_REQUIRED_FIELDS", { phoneNumber: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { emergencyName: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { emergencyRelationship: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { emergencyPhone: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { idCardType: "", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { idCardNumber: "", ...LATER }],
  ["WEAK_PASSWORD", { password: "12345", confirmPassword: "12345", ...LATER }],
  ["PASSWORD_TOO_SHORT", { password: "123456", confirmPassword: "123456", ...LATER }],
  ["PASSWORD_TOO_LONG", { password: LONG, confirmPassword: LONG, ...LATER }],
  ["PASSWORD_TOO_COMMON", { password: "password", confirmPassword: "password", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { maritalStatus: "Other", ...LATER }],
  ["FILL_REQUIRED_FIELDS", { idCardType: "Library card", ...LATER }],
  ["INVALID_DATE_OF_BIRTH", LATER],
  ["INVALID_EMAIL", { alternativeEmail: "x", postalCode: LONG }],
  ["INVALID_TEXT", { phoneNumber: "5".repeat(31), firstName: LONG }],
  ["INVALID_TEXT", { firstName: LONG, lastName: LONG }],
  ["INVALID_TEXT", { lastName: LONG, nationality: LONG }],
  ["INVALID_TEXT", { nationality: LONG, street: LONG }],
  ["INVALID_TEXT", { street: LONG, city: LONG }],
  ["INVALID_TEXT", { city: LONG, state: LONG }],
  ["INVALID_TEXT", { state: LONG, country: LONG }],
  ["INVALID_TEXT", { country: LONG, postalCode: LONG }],
  ["INVALID_TEXT", { postalCode: "1\u0000", alternativeEmail: LONG_EMAIL }],
  ["INVALID_TEXT", { alternativeEmail: LONG_EMAIL, emergencyName: LONG }],
  ["INVALID_TEXT", { emergencyName: LONG, emergencyRelationship: LONG }],
  ["INVALID_TEXT", { emergencyRelationship: LONG, emergencyPhone: LONG }],
  ["INVALID_TEXT", { emergencyPhone: LONG, idCardNumber: LONG }],
  ["INVALID_TEXT", { idCardNumber: LONG }],
]);

test.each(["2026-11-21", "2026-11-22", "1899-12-31", "1990-02-30", "28.02.1990"])(
  "%s is no date of birth",
  (dateOfBirth) => {
    expect(firstRefusal(SIGNUP_RULES, { ...APPLICANT, dateOfBirth }, SIGNUP_FACTS)).toBe(
      "INVALID_DATE_OF_BIRTH",
    );
  },
);

test.each([
  ["invisible marks around the e-mail, which the server drops", { email: "\u200eada@x.com\u200b" }],
  ["a long password", { password: "correct horse".repeat(12) }],
  ["somebody born in 1900", { dateOfBirth: "1900-01-01" }],
])("the sign-up accepts %s", (_what, changes: Partial<SignupDraft>) => {
  const draft = { ...APPLICANT, ...changes };
  const confirmed = { ...draft, confirmPassword: draft.password };
  expect(firstRefusal(SIGNUP_RULES, confirmed, SIGNUP_FACTS)).toBeNull();
});

const CONTACT: ContactDraft = {
  name: "Zoe",
  email: "z@x.com",
  subject: "general",
  message: "Hello",
  preferredContact: "email",
};
testRules("contact", CONTACT_RULES, { draft: CONTACT, facts: undefined }, [
  ["FILL_REQUIRED_FIELDS", { name: "", email: "", message: LONG }],
  ["FILL_REQUIRED_FIELDS", { email: "", subject: "", message: LONG }],
  ["FILL_REQUIRED_FIELDS", { subject: "", email: "x", message: LONG }],
  ["FILL_REQUIRED_FIELDS", { message: "", email: "x" }],
  ["INVALID_EMAIL", { email: "x", name: LONG, message: LONG }],
  ["INVALID_TEXT", { name: "a\u202e", phone: LONG, message: LONG }],
  ["INVALID_TEXT", { phone: LONG, message: LONG }],
  ["INVALID_TEXT", { message: "a\u0000" }],
]);

const ZERO = { availableCents: 0n, balanceCents: 0n };
const BAD = { availableCents: -1n, balanceCents: 0n };
const CREATED = {
  name: "June Hale",
  email: "june@x.com",
  phone: "555",
  password: "correct horse",
  role: "user",
  street: "5 Elm Street",
  city: "Troy",
  state: "NY",
  zipCode: "12180",
  checking: ZERO,
  savings: ZERO,
};
testRules(
  "creating a user",
  CREATE_USER_RULES,
  { draft: CREATED, facts: { passwordMinLength: 8 } },
  [
    ["FILL_REQUIRED_FIELDS", { name: "", email: "", checking: BAD }],
    ["FILL_REQUIRED_FIELDS", { email: "", phone: "", checking: BAD }],
    ["FILL_REQUIRED_FIELDS", { phone: "", email: "x", checking: BAD }],
    ["FILL_REQUIRED_FIELDS", { password: "", email: "x", checking: BAD }],
    ["FILL_REQUIRED_FIELDS", { role: "", email: "x", checking: BAD }],
    ["FILL_REQUIRED_FIELDS", { street: "", email: "x", checking: BAD }],
    ["FILL_REQUIRED_FIELDS", { city: "", email: "x", checking: BAD }],
    ["FILL_REQUIRED_FIELDS", { state: "", email: "x", checking: BAD }],
    ["FILL_REQUIRED_FIELDS", { zipCode: "", email: "x", checking: BAD }],
    ["FILL_REQUIRED_FIELDS", { role: "owner", email: "x", checking: BAD }],
    ["INVALID_EMAIL", { email: "x", password: "short", checking: BAD }],
    ["WEAK_PASSWORD", { password: "short", checking: BAD }],
    ["PASSWORD_TOO_SHORT", { password: "123456", checking: BAD }],
    ["PASSWORD_TOO_LONG", { password: LONG, checking: BAD }],
    ["PASSWORD_TOO_COMMON", { password: "password", checking: BAD }],
    ["INVALID_AMOUNT", { checking: BAD, savings: BAD, name: LONG }],
    ["INVALID_AMOUNT", { checking: { ...ZERO, balanceCents: -1n }, savings: BAD, name: LONG }],
    ["INVALID_AMOUNT", { savings: { availableCents: -1n, balanceCents: -1n }, name: LONG }],
    ["INVALID_AMOUNT", { savings: { ...ZERO, balanceCents: 10n ** 15n }, name: LONG }],
    ["INVALID_TEXT", { phone: "5".repeat(31), name: LONG }],
    ["INVALID_TEXT", { name: LONG, street: LONG }],
    ["INVALID_TEXT", { street: LONG, city: LONG }],
    ["INVALID_TEXT", { city: LONG, state: LONG }],
    ["INVALID_TEXT", { state: LONG, zipCode: LONG }],
    ["INVALID_TEXT", { zipCode: LONG }],
  ],
);

const ALL: ApprovalDraft = { ticked: VERIFICATION_CHECKS };
testRules("approval", APPROVAL_RULES, { draft: ALL, facts: undefined }, [
  ["CHECKS_INCOMPLETE", { ticked: VERIFICATION_CHECKS.slice(1) }],
]);
testRules("a message", MESSAGE_RULES, { draft: { text: "a\nb" }, facts: undefined }, [
  ["REASON_REQUIRED", { text: " \n" }],
  ["INVALID_TEXT", { text: LONG }],
]);

const ADDRESS = { street: "1", city: "2", state: "3", postalCode: "4" };
const BEN = { name: "Ben", relationship: "Brother", phone: "6" };
const DETAILS: ContactDetailsDraft = { phone: "5", address: ADDRESS, emergencyContact: BEN };
testRules("contact details", CONTACT_DETAILS_RULES, { draft: DETAILS, facts: undefined }, [
  ["FILL_REQUIRED_FIELDS", { phone: " ", alternativeEmail: "x" }],
  ["FILL_REQUIRED_FIELDS", { address: { ...ADDRESS, street: "" }, alternativeEmail: "x" }],
  ["FILL_REQUIRED_FIELDS", { address: { ...ADDRESS, city: "" }, alternativeEmail: "x" }],
  ["FILL_REQUIRED_FIELDS", { address: { ...ADDRESS, state: "" }, alternativeEmail: "x" }],
  ["FILL_REQUIRED_FIELDS", { address: { ...ADDRESS, postalCode: "" }, alternativeEmail: "x" }],
  ["FILL_REQUIRED_FIELDS", { emergencyContact: { ...BEN, name: "" }, alternativeEmail: "x" }],
  ["FILL_REQUIRED_FIELDS", { emergencyContact: { ...BEN, relationship: " " }, phone: LONG }],
  ["FILL_REQUIRED_FIELDS", { emergencyContact: { ...BEN, phone: "" }, alternativeEmail: "x" }],
  ["INVALID_EMAIL", { alternativeEmail: "ada@x.com\uff0e", phone: LONG }],
  ["INVALID_TEXT", { phone: LONG, address: { ...ADDRESS, street: LONG } }],
  ["INVALID_TEXT", { address: { ...ADDRESS, street: LONG, city: LONG } }],
  ["INVALID_TEXT", { address: { ...ADDRESS, city: LONG, state: LONG } }],
  ["INVALID_TEXT", { address: { ...ADDRESS, state: LONG, country: LONG } }],
  ["INVALID_TEXT", { address: { ...ADDRESS, country: LONG, postalCode: LONG } }],
  ["INVALID_TEXT", { address: { ...ADDRESS, postalCode: LONG } }],
  ["INVALID_TEXT", { emergencyContact: { ...BEN, name: LONG, phone: LONG } }],
  ["INVALID_TEXT", { emergencyContact: { ...BEN, relationship: LONG, phone: LONG } }],
  ["INVALID_TEXT", { emergencyContact: { ...BEN, phone: LONG } }],
]);

const CHANGE = {
  email: "ada@x.com",
  currentPassword: "old one here",
  newPassword: "correct horse",
  confirmPassword: "correct horse",
};
testRules(
  "password change",
  PASSWORD_CHANGE_RULES,
  { draft: CHANGE, facts: { passwordMinLength: 8 } },
  [
    ["FILL_REQUIRED_FIELDS", { currentPassword: "", newPassword: "x" }],
    ["PASSWORDS_DIFFER", { newPassword: "x", currentPassword: "x" }],
    ["PASSWORD_UNCHANGED", { currentPassword: "x", newPassword: "x", confirmPassword: "x" }],
    ["WEAK_PASSWORD", { newPassword: "12345", confirmPassword: "12345" }],
    ["PASSWORD_TOO_SHORT", { newPassword: "123456", confirmPassword: "123456" }],
    ["PASSWORD_TOO_LONG", { newPassword: LONG, confirmPassword: LONG }],
    ["PASSWORD_TOO_COMMON", { newPassword: "password", confirmPassword: "password" }],
  ],
);

test("a new password that differs only in its Unicode form counts as the current one", () => {
  const [composed, decomposed] = ["h\u00e9l\u00e8ne's cat", "he\u0301le\u0300ne's cat"];
  const draft = { ...CHANGE, currentPassword: composed, newPassword: decomposed };
  const facts = { passwordMinLength: 8 };
  const refusal = firstRefusal(
    PASSWORD_CHANGE_RULES,
    { ...draft, confirmPassword: decomposed },
    facts,
  );
  expect(refusal).toBe("PASSWORD_UNCHANGED");
});

test("text that is too long is refused at its own field", () => {
  const details = { ...DETAILS, address: { ...ADDRESS, city: LONG } };
  expect(refusalsByField(CONTACT_DETAILS_RULES, details, undefined)).toEqual([
    { field: "city", code: "INVALID_TEXT" },
  ]);
  const applicant = { ...APPLICANT, street: LONG, emergencyName: LONG };
  expect(refusalsByField(SIGNUP_RULES, applicant, SIGNUP_FACTS)).toEqual([
    { field: "street", code: "INVALID_TEXT" },
    { field: "emergencyName", code: "INVALID_TEXT" },
  ]);
});

test("each field has its own first refusal for a summary", () => {
  const draft = { ...APPLICANT, email: "x", city: "", password: "12345" };
  expect(refusalsByField(SIGNUP_RULES, draft, SIGNUP_FACTS)).toEqual([
    { field: "email", code: "INVALID_EMAIL" },
    { field: "confirmPassword", code: "PASSWORDS_DIFFER" },
    { field: "city", code: "FILL_REQUIRED_FIELDS" },
    { field: "password", code: "WEAK_PASSWORD" },
  ]);
});

test("the application is sent trimmed, without empty fields and without the passwords", () => {
  const draft = { ...APPLICANT, city: " Albany ", alternativeEmail: " " };
  const application = applicationOf(draft);
  expect(applicationOf({ ...draft, alternativeEmail: " Ada\u200b@X.com" })).toMatchObject({
    alternativeEmail: "ada@x.com",
  });
  expect(application).toMatchObject({ city: "Albany" });
  expect(application).not.toHaveProperty("alternativeEmail");
  expect(application).not.toHaveProperty("password");
});
