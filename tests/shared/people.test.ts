import { describe, expect, test } from "vitest";
import { isCommonPassword } from "../../convex/shared/commonPasswords";
import { canonicalEmail, isEmail } from "../../convex/shared/email";
import { displayName, firstName, SEARCH_KEYS_MAX, searchKeys } from "../../convex/shared/names";
import {
  effectiveRole,
  homeOf,
  isAdmin,
  isApproved,
  placeOf,
  shownStatus,
  type Standing,
} from "../../convex/shared/roles";
import { POLICIES, POLICY_KEYS, isPolicyKey, isPolicyValue } from "../../convex/shared/policies";
import { ROLES, USER_STATUSES } from "../../convex/shared/validators";

describe("the home page and rights of a person", () => {
  const cases: [Standing, boolean, string, string][] = [
    [{ role: "pending", status: "pending" }, false, "pending", "/pending-approval"],
    [{ role: "pending", status: "rejected" }, false, "rejected", "/pending-approval"],
    [{ role: "user", status: "approved" }, false, "otp", "/login"],
    [{ role: "user", status: "approved" }, true, "member", "/dashboard"],
    [{ role: "user", status: "active" }, true, "member", "/dashboard"],
    [{ status: "approved" }, true, "member", "/dashboard"],
    [{ role: "admin", status: "active" }, false, "otp", "/login"],
    [{ role: "admin", status: "active" }, true, "admin", "/admin"],
    [
      { role: "user", status: "active", mustChangePassword: true },
      true,
      "mustChangePassword",
      "/dashboard",
    ],
    [
      { role: "pending", status: "pending", mustChangePassword: true },
      false,
      "mustChangePassword",
      "/login",
    ],
    [
      { role: "pending", status: "rejected", mustChangePassword: true },
      false,
      "mustChangePassword",
      "/login",
    ],
    [{ role: "user", status: "active", mustChangePassword: true }, false, "otp", "/login"],
    [{ role: "admin", status: "rejected" }, true, "rejected", "/pending-approval"],
    [{ role: "pending", status: "approved" }, true, "pending", "/pending-approval"],
    [{ role: "user" }, true, "pending", "/pending-approval"],
    [{}, true, "pending", "/pending-approval"],
  ];
  test.each(cases)("%j with the code passed: %s is %s at %s", (standing, isPassed, place, home) => {
    expect(placeOf(standing, isPassed)).toBe(place);
    expect(homeOf(standing, isPassed)).toBe(home);
  });

  test("nobody is an administrator or a member without an accepted status", () => {
    for (const role of [...ROLES, undefined]) {
      for (const status of [...USER_STATUSES, undefined]) {
        const isAccepted = status === "approved" || status === "active";
        expect(isApproved({ role, status })).toBe(isAccepted && role !== "pending");
        expect(isAdmin({ role, status })).toBe(isAccepted && role === "admin");
      }
    }
  });

  test("a missing role is a user, a missing status is unknown", () => {
    expect(effectiveRole(undefined)).toBe("user");
    expect(shownStatus(undefined)).toBe("unknown");
  });
});

describe("e-mail addresses", () => {
  test.each([
    ["A@X.com", "a@x.com"],
    ["  a@x.com\n", "a@x.com"],
    ["ａ@ｘ.com", "a@x.com"],
    ["a\u200b@x.com\ufeff", "a@x.com"],
    ["e\u0301@x.com", "\u00e9@x.com"],
    ["e\u200d\u0301@x.com", "\u00e9@x.com"],
    ["a@x.com\ufe0f", "a@x.com"],
    ["a\u3164@x.com", "a@x.com"],
    ["a\u2800@x.com\u{1d159}", "a@x.com"],
    ["a\u{e0061}@x.com", "a@x.com"],
    ["a\u2066@\u206a\ufff9x.com", "a@x.com"],
  ])("%j is stored as %j", (given, canonical) => {
    expect(canonicalEmail(given)).toBe(canonical);
    expect(canonicalEmail(canonical)).toBe(canonical);
  });

  // Combining marks in non-canonical order: normalising very many of them takes seconds.
  test("a text longer than any address is left unchanged, and is no valid address", () => {
    const text = `A${"\u0301\u0316".repeat(600)}@x.com`;
    expect(canonicalEmail(text)).toBe(text);
    expect(isEmail(canonicalEmail(text))).toBe(false);
  });

  test.each([
    ["a@b.c", true],
    ["a@b", false],
    ["@b.c", false],
    ["a b@c.d", false],
    ["a\u0000@b.c", false],
    ["a@b.c\u202e", false],
    ["", false],
    [`${"a".repeat(300)}@b.c`, false],
    // Mail programs would send all of these to a@b.c.
    ["x<a@b.c>", false],
    ["x,a@b.c", false],
    ["x;a@b.c", false],
    ["a(x)@b.c", false],
    ['"a"@b.c', false],
    ["\\a@b.c", false],
    ["a@b.c.", false],
    ["o'neil+x/y=z!@b.c", true],
  ])("%j passes the simple pattern: %s", (text, isValid) => {
    expect(isEmail(text)).toBe(isValid);
  });
});

describe("names", () => {
  test("default to the part of the e-mail before the @", () => {
    expect(displayName({ email: "ada@x.com", name: " " })).toBe("ada");
    expect(displayName({ email: "ada@x.com", name: " Ada Abel " })).toBe("Ada Abel");
  });

  test("are shortened to their first word in greetings, or to User", () => {
    expect(firstName("  Ada Maria Abel")).toBe("Ada");
    expect(firstName("")).toBe("User");
    expect(firstName(undefined)).toBe("User");
  });

  test("have search keys that start with each of their words", () => {
    expect(searchKeys({ name: "Ana  LÓPEZ, Diaz", email: "ana@x.com" })).toEqual([
      "ana lópez diaz",
      "ana@x.com",
      "diaz ana lópez",
      "lópez diaz ana",
    ]);
  });
});

test("a person whose name has very many words is still found by their e-mail", () => {
  const name = Array.from({ length: 50 }, (_, at) => `a${at}`).join(" ");
  const keys = searchKeys({ name, email: "zed@x.com" });
  expect(keys).toContain("zed@x.com");
  expect(keys).toHaveLength(SEARCH_KEYS_MAX);
});

describe("common passwords", () => {
  test.each([
    "password",
    "Password1",
    "123456",
    "qwerty123",
    "111111",
    "abcdef",
    "michelle",
    "naruto",
    "Wrenmoor",
    "ada.abel",
    "ada.abel@x.com",
    "      ",
    "\u200b\u200b\u200b\u200b\u200b\u200b",
  ])("%j is refused", (password) => {
    expect(isCommonPassword(password, "ada.abel@x.com")).toBe(true);
  });

  test.each(["correct horse battery", "Wrenmoor-Demo-2026", "Passw0rd-with-more", "t8Kq2v"])(
    "%s is accepted",
    (password) => {
      expect(isCommonPassword(password, "ada.abel@x.com")).toBe(false);
    },
  );
});

describe("policies", () => {
  test("start as specified, and accept exactly their two values", () => {
    expect(POLICIES.transferCountLimit.asSpecified).toBe(2);
    expect(POLICIES.passwordMinLength).toMatchObject({ asSpecified: 6, recommended: 8 });
    for (const key of POLICY_KEYS) {
      expect(isPolicyKey(key)).toBe(true);
      expect(isPolicyValue(key, POLICIES[key].asSpecified)).toBe(true);
      expect(isPolicyValue(key, POLICIES[key].recommended)).toBe(true);
      expect(isPolicyValue(key, "anything else")).toBe(false);
    }
    expect(isPolicyKey("toString")).toBe(false);
  });
});
