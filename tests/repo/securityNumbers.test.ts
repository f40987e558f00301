/**
 * The numbers of the security concept: each has the expected value, is used by the module that enforces it,
 * and agrees with SECURITY.md. Their effects are tested in tests/convex, tests/conformance and
 * tests/attacks.
 */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { isCommonPassword } from "../../convex/shared/commonPasswords";
import { INSTITUTION } from "../../convex/shared/institution";
import * as limits from "../../convex/shared/limits";
import { POLICIES } from "../../convex/shared/policies";
import { ROOT, sources, withoutComments } from "../support/sources";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const KIB = 1024;

type LimitName = Exclude<keyof typeof limits, "MS" | "RATES" | "ABOUT_COUNTERS">;

const NUMBERS: readonly [LimitName, number, enforcedIn: string][] = [
  ["PASSWORD_LENGTH_MIN", 6, "convex/shared/rules/password.ts"],
  ["PASSWORD_LENGTH_MAX", 256, "convex/shared/rules/password.ts"],
  ["PASSWORD_HASH_ITERATIONS", 600_000, "convex/model/crypto.ts"],
  ["PASSWORD_WRONG_IN_ROW_LOCK", 10, "convex/model/passwordAttempts.ts"],
  ["PASSWORD_LOCK_MIN_MS", MINUTE_MS, "convex/model/passwordAttempts.ts"],
  ["PASSWORD_LOCK_MAX_MS", HOUR_MS, "convex/model/passwordAttempts.ts"],
  ["PASSWORD_WRONG_IN_ROW_DISABLE", 100, "convex/model/passwordAttempts.ts"],
  ["SIGN_INS_PER_ADDRESS_PER_MINUTE_MAX", 30, "convex/model/passwordAttempts.ts"],
  ["SIGN_INS_PER_ADDRESS_PER_HOUR_MAX", 300, "convex/model/passwordAttempts.ts"],
  ["SIGN_UPS_PER_ADDRESS_PER_HOUR_MAX", 5, "convex/authSteps.ts"],
  ["SIGN_UPS_PER_EMAIL_PER_DAY_MAX", 3, "convex/authSteps.ts"],
  ["HASHES_AT_ONCE_MAX", 2, "convex/model/hashQueue.ts"],
  ["HASHES_WAITING_MAX", 64, "convex/model/hashQueue.ts"],
  ["OTP_DIGITS", 6, "convex/shared/rules/otpCode.ts"],
  ["OTP_WRONG_PER_SESSION_MAX", 5, "convex/model/otp.ts"],
  ["OTP_WRONG_IN_ROW_LOCK", 10, "convex/model/otp.ts"],
  ["OTP_LOCK_MS", 15 * MINUTE_MS, "convex/model/otp.ts"],
  ["OTP_WRONG_IN_ROW_DISABLE", 20, "convex/model/otp.ts"],
  ["OTP_CODES_INITIAL", 20, "convex/model/otpCodes.ts"],
  ["OTP_CODES_LEFT_FEW", 3, "convex/model/otp.ts"],
  ["OTP_CODES_MAX", 50, "convex/model/otpCodes.ts"],
  ["JWT_LIFE_MS", 10 * MINUTE_MS, "convex/auth.ts"],
  ["CODE_STEP_LIFE_MS", 15 * MINUTE_MS, "convex/model/sessionLife.ts"],
  ["MEMBER_SESSION_LIFE_MS", 12 * HOUR_MS, "convex/model/sessionLife.ts"],
  ["ADMIN_SESSION_LIFE_MS", 8 * HOUR_MS, "convex/model/sessionLife.ts"],
  ["SESSIONS_PER_PERSON_MAX", 5, "convex/model/sessions.ts"],
  ["REFRESHES_PER_SESSION_PER_HOUR_MAX", 240, "convex/model/refreshTokens.ts"],
  ["SESSION_TOUCH_INTERVAL_MS", MINUTE_MS, "convex/model/sessions.ts"],
  ["IDLE_WARNING_MS", 2 * MINUTE_MS, "src/features/session/useIdle.ts"],
  ["PENDING_TRANSFER_LIFE_MS", 5 * MINUTE_MS, "convex/model/externalTransfers.ts"],
  ["PENDING_TRANSFERS_PER_PERSON_MAX", 5, "convex/model/externalTransfers.ts"],
  ["RECIPIENT_LOOKUPS_PER_MINUTE_MAX", 10, "convex/model/recipients.ts"],
  ["RECIPIENT_LOOKUPS_PER_DAY_MAX", 60, "convex/model/recipients.ts"],
  ["DEPOSITS_WAITING_MAX", 50, "convex/model/mobileDeposits.ts"],
  ["STATEMENT_MAILS_PER_HOUR_MAX", 60, "convex/model/statements.ts"],
  ["OWN_CHANGES_PER_PERSON_PER_HOUR_MAX", 300, "convex/model/limits.ts"],
];

/** SECURITY.md with line breaks replaced by spaces. */
const PAGE = fs.readFileSync(path.join(ROOT, "SECURITY.md"), "utf8").replace(/\s+/gu, " ");

const product = sources("convex", "src").filter((file) => file.path !== "convex/shared/limits.ts");
const IMPORTS = /\bimport\s[^;]*?;/gu;

/** Whether the code of a file (without imports and comments) uses the number. */
function usesLimit(filePath: string, limit: string): boolean {
  const file = product.find((candidate) => candidate.path === filePath);
  const code = withoutComments(file?.text ?? "").replace(IMPORTS, "");
  return new RegExp(`\\b${limit}\\b`, "u").test(code);
}

test.each(NUMBERS)("%s is %d, enforced in %s", (name, value, enforcedIn) => {
  expect(limits[name]).toBe(value);
  expect(usesLimit(enforcedIn, name)).toBe(true);
});

const WORDS: Readonly<Record<number, string>> = {
  2: "two",
  3: "three",
  5: "five",
  6: "six",
  10: "ten",
  15: "fifteen",
  20: "twenty",
};
const inWords = (count: number): string => WORDS[count] ?? String(count);
const inDigits = (count: number): string => count.toLocaleString("en-US");

test.each([
  `${inDigits(limits.PASSWORD_HASH_ITERATIONS)} rounds`,
  `${inWords(limits.HASHES_AT_ONCE_MAX)} at once and ${limits.HASHES_WAITING_MAX} waiting`,
  `${limits.REFRESHES_PER_SESSION_PER_HOUR_MAX} exchanges an hour`,
  `At most ${inWords(limits.SESSIONS_PER_PERSON_MAX)} sessions per person`,
  `${inWords(limits.OTP_WRONG_PER_SESSION_MAX)} wrong ones end the session`,
  `${inWords(limits.OTP_WRONG_IN_ROW_LOCK)} in a row lock`,
  `${inWords(limits.OTP_WRONG_IN_ROW_DISABLE)} disable`,
  `${inWords(limits.OTP_CODES_LEFT_FEW)} or fewer left`,
  `${inWords(limits.CODE_STEP_LIFE_MS / MINUTE_MS)} minutes for its code`,
  `${inWords(limits.IDLE_WARNING_MS / MINUTE_MS)} minutes before`,
  `at most ${limits.DEPOSITS_WAITING_MAX} deposits wait`,
  `at most ${limits.STATEMENT_MAILS_PER_HOUR_MAX} statements an hour`,
  `at most ${limits.OWN_CHANGES_PER_PERSON_PER_HOUR_MAX} changes an hour`,
  `passwords of ${inWords(limits.PASSWORD_LENGTH_MIN)}`,
])("the security page says %s", (said) => {
  expect(PAGE).toContain(said);
});

test("every limit is used", () => {
  const unused = Object.keys(limits).filter(
    (name) => !product.some((file) => usesLimit(file.path, name)),
  );
  expect(unused).toEqual([]);
});

test("idle limits: fifteen minutes for members and ten for administrators when recommended", () => {
  expect(POLICIES.idleTimeout).toMatchObject({
    asSpecified: { memberMinutes: null, adminMinutes: 15 },
    recommended: { memberMinutes: 15, adminMinutes: 10 },
  });
  expect(POLICIES.passwordMinLength).toMatchObject({ asSpecified: 6, recommended: 8 });
});

describe("common passwords", () => {
  test.each([
    "password",
    "Password123",
    "qwerty1!",
    "letmein2026",
    "1q2w3e4r5t",
    "87654321",
    "aaaaaaaa",
    INSTITUTION.name,
    "ada.abel",
    "ada.abel@mail.example",
  ])("%s is refused", (password) => {
    expect(isCommonPassword(password, "ada.abel@mail.example")).toBe(true);
  });

  test("other passwords are accepted", () => {
    expect(isCommonPassword("harbor-lantern-58", "ada.abel@mail.example")).toBe(false);
  });
});

interface Product {
  readonly productOptions: (backend: object, options: object) => Promise<object>;
}

test("frames and bodies are limited to two MiB (enough for a file of rows), uploads to twenty", async () => {
  const script = path.join(ROOT, "scripts", "lib", "product.mjs");
  const { productOptions } = (await import(pathToFileURL(script).href)) as Product;
  const backend = { loadSecrets: async () => ({}), newLogger: () => ({}) };
  expect(await productOptions(backend, { functions: {}, isDemo: true })).toMatchObject({
    messageMaxBytes: 2 * KIB * KIB,
    uploadMaxBytes: 20 * KIB * KIB,
    watchdogMs: 5_000,
    isRedacting: true,
    publicFunctionMark: "_guard",
  });
});
