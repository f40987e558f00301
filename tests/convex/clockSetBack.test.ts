/** What waits for a moment does not wait for a clock that was set back to catch up. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import {
  ADMIN_SESSION_LIFE_MS,
  MEMBER_SESSION_LIFE_MS,
  MS,
  OTP_WRONG_IN_ROW_LOCK,
  PASSWORD_WRONG_IN_ROW_LOCK,
} from "../../convex/shared/limits";
import { isWaiting } from "../../convex/shared/waits";
import { enter, stubAuthKeys } from "./authKeys";
import { external, internal as internalTransfer, mailsTo } from "./moneySupport";
import { addCodes, admin, newBackend, person, refusalOf, signedIn, type Backend } from "./support";

const NOW_MS = Date.UTC(2026, 10, 20, 17);
const AHEAD_MS = 300 * MS.DAY_MS;

let t: Backend;

const at = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: ms });

beforeEach(() => {
  at(NOW_MS + AHEAD_MS);
  t = newBackend();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a wait is over at its moment, and when it would last longer than any", () => {
  expect([-1, 0, 1, 10, 10 + MS.MINUTE_MS].map((left) => isWaiting(5 + left, 10, 5))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
  expect(isWaiting(11 + MS.MINUTE_MS, 10, 0)).toBe(false);
  expect(isWaiting(undefined, 10, 5)).toBe(false);
});

test("wrong passwords and codes lock nobody out for months", async () => {
  await addCodes(t, "111111");
  const ada = await person(t, "ada@bank.example", { hasPassedCode: false });
  const tryPassword = () =>
    t.mutation(internal.authSteps.startTry, { email: ada.email, addressKeys: [] });
  for (let count = 0; count < PASSWORD_WRONG_IN_ROW_LOCK; count++) {
    await t.mutation(internal.authSteps.settleTry, { email: ada.email, derivedHash: "wrong" });
  }
  for (let count = 0; count < OTP_WRONG_IN_ROW_LOCK; count++) {
    const { as } = await signedIn(t, ada.userId, false);
    await as.mutation(api.otp.verifyLogin, { code: "999999" });
  }
  expect(await tryPassword()).toEqual({ kind: "limited" });
  expect(await ada.as.mutation(api.otp.verifyLogin, { code: "111111" })).toMatchObject({
    ok: false,
  });
  at(NOW_MS);
  expect(await tryPassword()).toMatchObject({ kind: "check" });
  expect(await ada.as.mutation(api.otp.verifyLogin, { code: "111111" })).toMatchObject({
    ok: true,
  });
});

test("the first step of a transfer to a US bank does not wait for months", async () => {
  await addCodes(t, "111111");
  const ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  const args = external();
  const { pendingId } = await ada.as.mutation(api.transfers.startExternal, args);
  at(NOW_MS);
  const confirm = ada.as.mutation(api.transfers.confirmExternal, { pendingId, code: "111111" });
  expect(await refusalOf(confirm)).toBe("STEP_EXPIRED");
  const again = await ada.as.mutation(api.transfers.startExternal, args);
  expect(again.pendingId).not.toBe(pendingId);
});

test("sessions do not outlive their time by as much, and neither does an idle one", async () => {
  const ada = await person(t, "ada@bank.example");
  const root = await admin(t);
  at(NOW_MS);
  await t.mutation(internal.sessions.sessionExpiry, {});
  const ends = await t.run(async (ctx) => [
    (await ctx.db.get("authSessions", ada.sessionId))?.expirationTime,
    (await ctx.db.get("authSessions", root.sessionId))?.expirationTime,
  ]);
  expect(ends).toEqual([NOW_MS + MEMBER_SESSION_LIFE_MS, NOW_MS + ADMIN_SESSION_LIFE_MS]);
  const activities = await t.run((ctx) => ctx.db.query("sessionActivity").take(5));
  expect(activities.map(({ lastActiveAt }) => lastActiveAt)).toEqual([NOW_MS, NOW_MS]);
  at(NOW_MS + 15 * MS.MINUTE_MS);
  expect(await t.mutation(internal.sessions.sessionExpiry, {})).toBe(1);
  expect(await root.as.query(api.viewer.get, {})).toBeNull();
  expect(await ada.as.query(api.viewer.get, {})).not.toBeNull();
});

test("a refresh token that was used is no good again until then", async () => {
  await stubAuthKeys();
  const refresh = (refreshToken = "") => t.action(api.auth.signIn, { refreshToken });
  const first = await enter(t, "signUp", "ada@bank.example", "correct horse battery");
  const { tokens: second } = await refresh(first.refreshToken);
  await refresh(second?.refreshToken);
  at(NOW_MS);
  // Whoever did not get the newest one asks again.
  expect((await refresh(second?.refreshToken)).tokens).not.toBeNull();
  expect(await refresh(first.refreshToken)).toEqual({ tokens: null });
  expect(await t.run((ctx) => ctx.db.query("authSessions").collect())).toEqual([]);
});

test("a clock that is only corrected makes no thief of whoever asks for a token twice", async () => {
  await stubAuthKeys();
  const refresh = (refreshToken = "") => t.action(api.auth.signIn, { refreshToken });
  const first = await enter(t, "signUp", "ada@bank.example", "correct horse battery");
  const { tokens: second } = await refresh(first.refreshToken);
  await refresh(second?.refreshToken);
  at(NOW_MS + AHEAD_MS - MS.MINUTE_MS);
  expect((await refresh(first.refreshToken)).tokens).not.toBeNull();
});

test("what is new comes first in the bell, on the security page, in outbox and inbox", async () => {
  const root = await admin(t);
  const { userId } = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  const ben = await person(t, "ben@bank.example");
  const message = { name: "Visitor", email: "visitor@bank.example", message: "Hello" };
  const firstPage = { paginationOpts: { numItems: 1, cursor: null } };
  for (const nowMs of [NOW_MS + AHEAD_MS, NOW_MS]) {
    at(nowMs);
    const ada = await signedIn(t, userId);
    await ada.as.mutation(api.transfers.submit, internalTransfer());
    await root.as.mutation(api.admin.restrictions.set, { userId, reason: "Asked for" });
    const disable = { userId: ben.userId, isDisabled: true, reason: "Asked for" };
    await root.as.mutation(api.admin.users.setDisabled, disable);
    const form = { ...message, subject: "general", preferredContact: "email" } as const;
    await t.mutation(api.contact.send, form);
    const [notice] = await ada.as.query(api.notifications.mine, {});
    const [event] = await ada.as.query(api.profile.securityEvents, {});
    const [mail] = (await root.as.query(api.admin.outbox.page, firstPage)).page;
    const [received] = (await root.as.query(api.admin.inbox.page, firstPage)).page;
    expect([notice?.createdAt, event?.at, mail?.createdAt, received?.createdAt]).toEqual([
      nowMs,
      nowMs,
      nowMs,
      nowMs,
    ]);
  }
});

test("and in the audit log, whatever it shows, and among the batches", async () => {
  const root = await admin(t);
  const { userId } = await person(t, "ada@bank.example");
  const row = { accountType: "Checking", type: "credit", status: "Pending" } as const;
  const rest = { amountCents: 1n, description: "Gift", category: "Other" } as const;
  for (const nowMs of [NOW_MS + AHEAD_MS, NOW_MS]) {
    at(nowMs);
    await root.as.mutation(api.admin.transactions.addMany, {
      userId,
      rows: [{ ...row, ...rest, date: nowMs }],
      updateBalance: false,
      requestKey: String(nowMs),
    });
    const shown = [
      {},
      { actorId: root.userId },
      { action: "transactions.add" },
      { personId: userId },
    ].map(async (filter) => {
      const paginationOpts = { numItems: 1, cursor: null };
      const { page } = await root.as.query(api.admin.audit.page, { ...filter, paginationOpts });
      return page[0]?.at;
    });
    expect(await Promise.all(shown)).toEqual([nowMs, nowMs, nowMs, nowMs]);
    const [batch] = await root.as.query(api.admin.transactions.batches, { userId });
    expect(batch?.createdAt).toBe(nowMs);
  }
});

test("e-mails are sent now, not when the clock has caught up", async () => {
  const root = await admin(t);
  const ada = await person(t, "ada@bank.example");
  const disable = { userId: ada.userId, isDisabled: true, reason: "Asked for" };
  await root.as.mutation(api.admin.users.setDisabled, disable);
  expect(await mailsTo(t, ada)).toHaveLength(1);
  at(NOW_MS);
  expect(await t.mutation(internal.outboxJob.claim, {})).toHaveLength(1);
  expect(await t.mutation(internal.outboxJob.claim, {})).toEqual([]);
});
