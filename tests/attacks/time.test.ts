/**
 * Attacks that depend on time, over the wire: locks after wrong passwords, expired steps, a reused refresh
 * token, work scheduled for somebody who has lost the right to it, a session left open. The tests move the
 * clock instead of waiting.
 */
import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { DEMO_PASSWORD } from "../e2e/support/people";
import {
  balancesOf,
  DEMO,
  DEMO_CODES,
  enter,
  httpClient,
  ledgerProblems,
  openBank,
  outcomeOf,
  tally,
  type Bank,
  type Visitor,
} from "./bank";
import { signedAs } from "./forgery";
import { as, call, documentsOf, outcomeIn, post } from "./wireCalls";

const TIMEOUT_MS = 120_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

let bank: Bank;

beforeAll(async () => {
  // Not in demonstration mode, and behind a proxy that passes on the caller's address.
  bank = await openBank({ DEMO: "0" }, { trustedProxy: "127.0.0.1" });
}, TIMEOUT_MS);

afterEach(() => {
  vi.useRealTimers();
});

afterAll(() => bank.close());

/** Moves the clock of the whole process forward. */
function pass(ms: number): void {
  const nowMs = Date.now();
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(nowMs + ms);
}

const from = (address: string) => ({ "x-forwarded-for": address });

async function signInFrom(address: string, email: string, password: string): Promise<string> {
  const args = { provider: "password", params: { flow: "signIn", email, password } };
  return outcomeIn(await post(bank, "action", call("auth:signIn", args), from(address)));
}

const runInternal = (path: string, args = {}) =>
  bank.server.backend.runtime.runInternal(path, args);

async function idOf(root: Visitor, email: string) {
  const person = await root.http.mutation(api.admin.users.findByEmail, { email });
  if (person === null) throw new Error(`nobody is ${email}`);
  return person.userId;
}

test("TH17 a hundred wrong passwords lock the owner out for a minute at most", async () => {
  const maya = await enter(bank, DEMO.maya);
  const tries: string[] = [];
  for (let count = 0; count < 100; count++) {
    tries.push(await signInFrom("203.0.113.1", DEMO.maya, "wrong guess"));
  }
  expect(tries.filter((outcome) => outcome === "INVALID_CREDENTIALS")).toHaveLength(10);
  expect(tries.filter((outcome) => outcome === "RATE_LIMITED")).toHaveLength(90);
  // Her open session continues; from another address she waits for the first, shortest lock only.
  expect(await outcomeOf(balancesOf(maya))).toBe("ok");
  expect(await signInFrom("203.0.113.2", DEMO.maya, DEMO_PASSWORD)).toBe("RATE_LIMITED");
  expect(await signInFrom("203.0.113.2", DEMO.nora, DEMO_PASSWORD)).toBe("ok");
  pass(MINUTE_MS + SECOND_MS);
  expect(await signInFrom("203.0.113.2", DEMO.maya, DEMO_PASSWORD)).toBe("ok");
});

describe("an external transfer", () => {
  const external = () => ({
    fromAccount: "Checking" as const,
    toBank: "Alder & Finch Bank",
    routingNumber: "990010139",
    accountNumber: "123456789",
    accountName: "Omar",
    amountCents: 100n,
    reference: "rent",
    requestKey: randomUUID(),
  });

  test("TH31 a confirmation after five minutes, or a second one, moves no money", async () => {
    const omar = await enter(bank, DEMO.omar);
    const before = await balancesOf(omar);
    const { pendingId } = await omar.http.mutation(api.transfers.startExternal, external());
    pass(5 * MINUTE_MS + SECOND_MS);
    const confirm = (id: string, code: string) =>
      omar.http.mutation(api.transfers.confirmExternal, { pendingId: id, code });
    expect(await outcomeOf(confirm(pendingId, DEMO_CODES[1]))).toBe("STEP_EXPIRED");
    expect(await balancesOf(omar)).toEqual(before);
    const again = await omar.http.mutation(api.transfers.startExternal, external());
    const receipt = await confirm(again.pendingId, DEMO_CODES[2]);
    expect(receipt).toHaveProperty("transferId");
    const [checking = 0n, savings = 0n] = before;
    expect(await balancesOf(omar)).toEqual([checking - 100n, savings]);
    // Already used: the first result is returned again, or a refusal; money moves once.
    await outcomeOf(confirm(again.pendingId, DEMO_CODES[3]));
    expect(await balancesOf(omar)).toEqual([checking - 100n, savings]);
  });
});

test("TH43 a refresh token reused late ends its session and notifies the owner", async () => {
  const params = { flow: "signIn", email: DEMO.vip, password: DEMO_PASSWORD };
  const signIn = (args: object) => httpClient(bank).action(api.auth.signIn, args);
  const { tokens: first } = await signIn({ provider: "password", params });
  const { tokens: second } = await signIn({ refreshToken: first?.refreshToken ?? "" });
  const { tokens: third } = await signIn({ refreshToken: second?.refreshToken ?? "" });
  expect(third).not.toBeNull();
  pass(11 * SECOND_MS);
  expect(await signIn({ refreshToken: first?.refreshToken ?? "" })).toEqual({ tokens: null });
  expect(await signIn({ refreshToken: third?.refreshToken ?? "" })).toEqual({ tokens: null });
  const alive = httpClient(bank, third?.token).query(api.auth.isAuthenticated, {});
  expect(await alive).toBe(false);
  const vera = await enter(bank, DEMO.vip);
  const events = await vera.http.query(api.profile.securityEvents, {});
  expect(events.map(({ kind }) => kind)).toContain("sessionRevoked");
});

test("TH43 refreshing without end ends the session before a stolen token can be reused unnoticed", async () => {
  const params = { flow: "signIn", email: DEMO.vip, password: DEMO_PASSWORD };
  const signIn = (args: object) => httpClient(bank).action(api.auth.signIn, args);
  let { tokens } = await signIn({ provider: "password", params });
  const first = tokens;
  let exchanges = 0;
  while (tokens !== null && exchanges <= 260) {
    ({ tokens } = await signIn({ refreshToken: tokens.refreshToken }));
    exchanges += 1;
  }
  // 240 an hour, and the tokens refilled meanwhile.
  expect(exchanges).toBeGreaterThan(240);
  expect(exchanges).toBeLessThan(260);
  const alive = httpClient(bank, first?.token).query(api.auth.isAuthenticated, {});
  expect(await alive).toBe(false);
  const sessionId = first?.refreshToken.split("|")[1];
  const left = documentsOf(bank, "authRefreshTokens").filter((row) => row.sessionId === sessionId);
  expect(left).toEqual([]);
  const vera = await enter(bank, DEMO.vip);
  const events = await vera.http.query(api.profile.securityEvents, {});
  const told = "A session was ended because it was renewed too often.";
  expect(events.map(({ text }) => text)).toContain(told);
});

test("TH58 a payment scheduled by somebody who is no longer a member is not made", async () => {
  const root = await enter(bank, DEMO.admin);
  const omar = await enter(bank, DEMO.omar);
  const before = await balancesOf(omar);
  const { billPaymentId } = await omar.http.mutation(api.billPayments.schedule, {
    fromAccount: "Checking",
    provider: "electric",
    accountNumber: "123456",
    amountCents: 500n,
    scheduleDate: new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10),
    requestKey: randomUUID(),
  });
  const userId = await idOf(root, DEMO.omar);
  await root.http.mutation(api.admin.registrations.reject, { userId, reason: "Closed" });
  pass(4 * DAY_MS);
  expect(await runInternal("billPayments:settleDue")).toHaveProperty("json");
  const again = await enter(bank, DEMO.admin);
  const details = await again.http.query(api.admin.users.get, { userId });
  const [checking] = details?.accounts.filter(({ type }) => type === "Checking") ?? [];
  expect([checking?.balanceCents, checking?.availableCents]).toEqual([before[0], before[0]]);
  const txn = bank.server.backend.db.beginQuery();
  expect(JSON.parse(txn.get(billPaymentId)?.json ?? "{}")).toMatchObject({ status: "Failed" });
  txn.close();
});

test("TH62 an administrator's idle session ends exactly on time, even before any job has run", async () => {
  const root = await enter(bank, DEMO.admin);
  const listed = () => outcomeOf(root.http.action(api.admin.otpCodes.list, {}));
  // Jobs are paused; otherwise another job that ends after the clock was moved would start this one.
  const { scheduler } = bank.server.backend;
  await scheduler.stop();
  pass(15 * MINUTE_MS - SECOND_MS);
  // The token itself lives ten minutes; the page refreshes it, which does not count as activity.
  const page = await freshToken(root);
  expect(await listedBy(page)).toBe("ok");
  vi.setSystemTime(Date.now() + SECOND_MS);
  expect(await listedBy(page)).toBe("NOT_SIGNED_IN");
  expect(await listed()).not.toBe("ok");
  // The job that was scheduled at the second step deletes the session's rows, which ends live queries.
  const viewer = () => httpClient(bank, page).query(api.viewer.get, {});
  expect(await viewer()).not.toBeNull();
  await scheduler.start();
  await expect.poll(viewer).toBeNull();
});

/** A new token of the same session, signed now. */
const freshToken = (person: Visitor) =>
  signedAs(bank, person, { ...decodeJwt(person.token), exp: Math.floor(Date.now() / 1000) + 600 });

async function listedBy(token: string): Promise<string> {
  return outcomeIn(await post(bank, "action", call("admin/otpCodes:list", {}), as({ token })));
}

test("concurrent attempts are counted together, whatever address they come from", async () => {
  const tries = Array.from({ length: 30 }, (_, index) =>
    signInFrom(`198.51.100.${index}`, DEMO.lock, "wrong guess").then((outcome) => {
      if (outcome !== "ok") throw Object.assign(new Error(outcome), { data: { code: outcome } });
    }),
  );
  expect(await tally(tries)).toEqual({ INVALID_CREDENTIALS: 10, RATE_LIMITED: 20 });
});

test("after all attacks the ledger is sound", async () => {
  expect(await ledgerProblems(await enter(bank, DEMO.admin))).toEqual([]);
});
