import { expect, test } from "vitest";
import { GUARDS } from "../../convex/model/access";
import http from "../../convex/http";
import { notation, parts, publicFunctions } from "./publicFunctions";

const functions = await publicFunctions();

/** Rights come from the session, never from an argument. Only administrators name other people. */
const BANNED_IN_MEMBER_ARGS = ["userId", "uid", "role", "status", "transferCount", "isProtected"];

/** What visitors may call (product decisions, section 5). */
const FOR_VISITORS = [
  "auth:isAuthenticated",
  "auth:signIn",
  "auth:signOut",
  "contact:send",
  "viewer:get",
];

/** Functions that are open after the password step alone. */
const AFTER_PASSWORD = ["otp:verifyLogin", "registrations:answerInformation", "registrations:mine"];

const withGuard = (guard: string) =>
  functions.filter((built) => built.guard === guard).map(({ path }) => path);

test("there are functions to check", () => {
  expect(functions.length).toBeGreaterThan(60);
});

test("every public function comes from a builder that names its permission", () => {
  const unguarded = functions.filter(
    ({ guard }) => !(GUARDS as readonly (string | undefined)[]).includes(guard),
  );
  expect(unguarded.map(({ path }) => path)).toEqual([]);
});

test("visitors and people before their code can call the listed functions and no others", () => {
  expect(withGuard("public")).toEqual(FOR_VISITORS);
  expect(withGuard("session")).toEqual(AFTER_PASSWORD);
});

test("changing a password is the one function that applicants reach whose password staff set", () => {
  expect(withGuard("passwordChange")).toEqual(["profile:changePassword"]);
});

test("everything below admin/ is for administrators, and nothing else is", () => {
  const expected = functions.filter(({ path }) => path.startsWith("admin/"));
  expect(withGuard("admin")).toEqual(expected.map(({ path }) => path));
});

test("every argument and every result has a validator", () => {
  const unchecked = functions.flatMap(({ path, args, returns }) => [
    ...[...parts(args)].filter((part) => part.validator.type === "any").map(() => `${path} args`),
    ...(returns === null ? [`${path} returns nothing declared`] : []),
    ...(returns === null ? [] : [...parts(returns)])
      .filter((part) => part.validator.type === "any")
      .map(() => `${path} returns`),
  ]);
  expect(unchecked).toEqual([]);
});

test("members' functions take no argument that could claim a right", () => {
  const claims = functions
    .filter(({ guard }) => guard !== "admin")
    // Here `status` is a filter of the caller's own transactions, not a claim.
    .filter(({ path }) => path !== "transactions:history")
    .flatMap(({ path, args }) =>
      [...parts(args)]
        .filter((part) => BANNED_IN_MEMBER_ARGS.includes(part.path.at(-1) ?? ""))
        .map((part) => `${path} ${part.path.join(".")}`),
    );
  expect(claims).toEqual([]);
});

test("no result contains a session, a secret or a code, except the audited list of codes", () => {
  const secrets = functions
    .filter(({ path }) => path !== "admin/otpCodes:list")
    .flatMap(({ path, returns }) =>
      (returns === null ? [] : [...parts(returns)])
        .filter(({ path: fields, validator }) => {
          const isSession = validator.type === "id" && validator.tableName.startsWith("auth");
          return isSession || /^(secret|passwordHash|code|mac|enc)$/u.test(fields.at(-1) ?? "");
        })
        .map((part) => `${path} ${part.path.join(".")}`),
    );
  // A mutation's result is stored in the database, for a client that resends the call.
  const list = functions.find(({ path }) => path === "admin/otpCodes:list");
  expect(list?.kind).toBe("action");
  // Refusals that are returned instead of thrown, so that attempts stay counted, have a field `code`.
  expect(secrets).toEqual(["transfers:confirmExternal code", "transfers:findRecipient code"]);
});

test("HTTP routes are for members, except the token issuer's documents and CORS preflights", () => {
  const routes = http.getRoutes();
  const unguarded = routes
    .filter(([, , handler]) => (handler as { _guard?: string })._guard !== "member")
    .map(([path, method]) => `${method} ${path}`);
  expect(unguarded).toEqual([
    "GET /.well-known/jwks.json",
    "GET /.well-known/openid-configuration",
    "OPTIONS /api/deposit-images",
    "OPTIONS /api/deposit-images/*",
  ]);
});

test("path, kind, guard, arguments and result of every public function are as reviewed", async () => {
  const lines = functions.map(({ path, kind, guard, args, returns }) => {
    const answer = returns === null ? "nothing declared" : notation(returns);
    return `${path}  [${kind}, ${guard ?? "no guard"}]\n  takes   ${notation(args)}\n  answers ${answer}`;
  });
  await expect(`${lines.join("\n\n")}\n`).toMatchFileSnapshot("surface.txt");
});
