/**
 * Attacks on every public function, over the wire: without a session, after the password alone, as an
 * applicant, as a member, with rights claimed in arguments; and what the results of queries contain. New
 * functions are covered automatically.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { publicFunctions, type BuiltFunction } from "../conformance/publicFunctions";
import { passwordToken } from "../support/wireClient";
import { DEMO, enter, openBank, outcomeOf, stateOf, type Bank, type Visitor } from "./bank";
import { as, call, outcomeIn, post, someId, wireArgs } from "./wireCalls";

const TIMEOUT_MS = 120_000;
const functions = await publicFunctions();
const withGuards = (...guards: string[]) =>
  functions.filter(({ guard }) => guard !== undefined && guards.includes(guard));

let bank: Bank;
let root: Visitor;
let maya: Visitor;

beforeAll(async () => {
  bank = await openBank();
  root = await enter(bank, DEMO.admin);
  maya = await enter(bank, DEMO.maya);
}, TIMEOUT_MS);

afterAll(() => bank.close());

/** Calls each function; returns those not refused with the code. Nothing may be written. */
async function notRefusedWith(
  code: string,
  calls: readonly BuiltFunction[],
  headers: Record<string, string>,
): Promise<string[]> {
  const before = stateOf(bank);
  const wrong: string[] = [];
  for (const built of calls) {
    const answer = await post(bank, built.kind, call(built.path, wireArgs(bank, built)), headers);
    const outcome = outcomeIn(answer);
    if (outcome !== code) wrong.push(`${built.path}: ${outcome}`);
  }
  expect(stateOf(bank)).toBe(before);
  return wrong;
}

test("TH1 a member can call none of the administrators' functions, and nothing is written", async () => {
  const calls = withGuards("admin");
  expect(calls.length).toBeGreaterThan(30);
  expect(await notRefusedWith("NOT_ADMIN", calls, as(maya))).toEqual([]);
});

test("TH2 a visitor without a session can call no private function", async () => {
  const calls = withGuards("session", "passwordChange", "member", "admin");
  expect(calls).toHaveLength(functions.length - withGuards("public").length);
  expect(await notRefusedWith("NOT_SIGNED_IN", calls, {})).toEqual([]);
});

test("TH3 the password alone gives access to nothing, not even an administrator's", async () => {
  for (const email of [DEMO.omar, DEMO.admin]) {
    const half = await enter(bank, email, null);
    const calls = withGuards("passwordChange", "member", "admin");
    expect(await notRefusedWith("OTP_REQUIRED", calls, as(half))).toEqual([]);
  }
});

test("TH5 applicants and rejected people can neither read data nor move money", async () => {
  for (const email of [DEMO.lena, DEMO.rui]) {
    const half = await enter(bank, email, null);
    const calls = withGuards("passwordChange", "member", "admin");
    expect(await notRefusedWith("NOT_APPROVED", calls, as(half))).toEqual([]);
  }
});

test("TH5 a password that staff know opens nothing to an applicant but its change, which asks for it again", async () => {
  const lena = await enter(bank, DEMO.lena, null);
  const userId = (await lena.http.query(api.viewer.get, {}))?.userId as Id<"users">;
  const reset = { userId, reason: "attack" };
  const { password } = await root.http.action(api.admin.users.resetPassword, reset);
  const signIn = async (secret: string) => ({
    token: await passwordToken(bank.origin, DEMO.lena, secret),
  });
  const half = await signIn(password);
  expect(await notRefusedWith("NOT_APPROVED", withGuards("member", "admin"), as(half))).toEqual([]);
  const own = functions.filter(({ path }) => path.startsWith("registrations:"));
  expect(await notRefusedWith("PASSWORD_CHANGE_REQUIRED", own, as(half))).toEqual([]);
  const change = (currentPassword: string) =>
    call("profile:changePassword", { currentPassword, newPassword: "one of Lena's own" });
  const guessed = await post(bank, "action", change("guessed"), as(half));
  expect(outcomeIn(guessed)).toBe("CURRENT_PASSWORD_WRONG");
  expect(outcomeIn(await post(bank, "action", change(password), as(half)))).toBe("ok");
  // Once: the next change is refused like any other applicant's.
  const again = await post(bank, "action", change("one of Lena's own"), as(half));
  expect(outcomeIn(again)).toBe("NOT_APPROVED");
  expect(await outcomeOf(signIn(password))).toBe("INVALID_CREDENTIALS");
});

test("TH23 no function accepts a claimed right as an extra argument", async () => {
  const claims = { userId: "x", role: "admin", transferCount: 0, isProtected: true, ownerId: "x" };
  const before = stateOf(bank);
  const taken: string[] = [];
  for (const built of withGuards("public", "session", "passwordChange", "member")) {
    for (const [name, value] of Object.entries(claims)) {
      const args = { ...wireArgs(bank, built), [name]: value };
      const answer = await post(bank, built.kind, call(built.path, args), as(maya));
      // Redacted: the response does not say what the validator refused.
      if (!/"errorMessage":"[^"]*Server Error"}/.test(answer.text)) taken.push(built.path);
    }
  }
  expect(taken).toEqual([]);
  expect(stateOf(bank)).toBe(before);
});

/** Arguments for queries that would refuse the generated samples. */
const BETTER_ARGS: Record<string, object> = {
  "transactions:monthTotals": { month: "2026-01" },
  "transactions:monthlySeries": { months: ["2026-01"] },
  "transactions:spendingByCategory": { month: "2026-01" },
  "statements:get": { accountType: "Checking", period: "2025-03" },
};

/** The results of all queries that the person may call, by path. */
async function everyAnswer(person: Visitor, ...guards: string[]): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const built of withGuards(...guards).filter(({ kind }) => kind === "query")) {
    const args: Record<string, unknown> = { ...wireArgs(bank, built), ...BETTER_ARGS[built.path] };
    if ("userId" in args) args.userId = someId(bank, "users");
    if ("jobId" in args) args.jobId = someId(bank, "jobs");
    if ("paginationOpts" in args) args.paginationOpts = { numItems: 100, cursor: null };
    const answer = await post(bank, "query", call(built.path, args), as(person));
    // The sample id names a job or an information request that does not exist.
    if (outcomeIn(answer) === "NOT_FOUND") continue;
    expect([built.path, outcomeIn(answer)]).toEqual([built.path, "ok"]);
    answers.set(built.path, (JSON.parse(answer.text) as { value: unknown }).value);
  }
  return answers;
}

/** Every text in a result, with its field path. */
function* textsIn(value: unknown, path: string): Generator<readonly [string, string]> {
  if (typeof value === "string") yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    yield* textsIn(inner, Array.isArray(value) ? path : `${path}.${name}`);
  }
}

/** Ids of documents of these tables, one text each. */
function idsOf(...tables: string[]): Set<string> {
  const found = new Set<string>();
  const txn = bank.server.backend.db.beginQuery();
  for (const tableName of tables) {
    const source = { type: "FullTableScan", tableName, order: null } as const;
    const stream = txn.openStream({ source, operators: [] });
    for (let row = stream.next(); row !== null; row = stream.next()) found.add(row.id);
    stream.close();
  }
  txn.close();
  return found;
}

test("TH52 members' results contain no secret field, no session and no id of other people", async () => {
  const viewer = (await everyAnswer(maya, "public")).get("viewer:get") as { userId: string };
  const answers = await everyAnswer(maya, "public", "session", "member");
  const others = idsOf("users");
  others.delete(viewer.userId);
  const hidden = idsOf(
    "authSessions",
    "authRefreshTokens",
    "sessionFactors",
    "otpCodes",
    "_storage",
  );
  const shown = [...answers].flatMap(([path, value]) => [...textsIn(value, path)]);
  expect(shown.length).toBeGreaterThan(200);
  const wrong = shown.filter(
    ([path, text]) =>
      others.has(text) ||
      hidden.has(text) ||
      /\.(secret|passwordHash|mac|enc|idCardNumber|dateOfBirth|token)$/.test(path) ||
      text.includes("/api/storage/"),
  );
  expect(wrong.map(([path]) => path)).toEqual([]);
});

/** Fields that may contain a full account number: the owner's own card and documents, and staff views. */
const WHOLE_NUMBERS = [
  /^accounts:listMine\.(accountNumber|routingNumber)$/,
  /^statements:get\.(accountNumber|routingNumber)$/,
  /^admin\/users:get\.accounts\.(accountNumber|routingNumber)$/,
  /^admin\/audit:page\.page\.(before|after)$/,
  // A position in one's own list: made of timestamps, not of account numbers.
  /\.continueCursor$/,
];

test("TH53 account and card numbers are masked to the last four everywhere else", async () => {
  await maya.http.mutation(api.billPayments.schedule, {
    fromAccount: "Checking",
    provider: "electric",
    accountNumber: "99887766554433",
    amountCents: 100n,
    scheduleDate: "2099-01-01",
    requestKey: "TH53",
  });
  const answers = [
    ...(await everyAnswer(maya, "public", "session", "member")),
    ...(await everyAnswer(root, "admin")),
  ];
  const shown = answers.flatMap(([path, value]) => [...textsIn(value, path)]);
  const wrong = shown.filter(
    ([path, text]) =>
      /(?<![0-9a-z])\d{8,}(?![0-9a-z])/.test(text) &&
      !WHOLE_NUMBERS.some((known) => known.test(path)),
  );
  expect(wrong).toEqual([]);
  expect(shown.some(([, text]) => text.endsWith("4433"))).toBe(true);
});
