import { beforeEach, describe, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import {
  addCodes,
  admin,
  newBackend,
  person,
  refusalOf,
  signedIn,
  type Backend,
  type Person,
} from "./support";

let t: Backend;

beforeEach(() => {
  vi.useRealTimers();
  t = newBackend();
});

const MINUTE_MS = 60_000;
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const expire = () => t.mutation(internal.sessions.sessionExpiry, {});

describe("a session's end", () => {
  test("an administrator's session ends after 15 idle minutes, a member's does not", async () => {
    vi.useFakeTimers();
    const root = await admin(t);
    const ada = await person(t, "ada@bank.example");
    pass(15 * MINUTE_MS - 1);
    expect(await expire()).toBe(0);
    pass(1);
    expect(await expire()).toBe(1);
    expect(await root.as.query(api.viewer.get, {})).toBeNull();
    expect(await ada.as.query(api.viewer.get, {})).toMatchObject({ place: "member" });
  });

  test("it is the same for a session that passed a code, or two", async () => {
    vi.useFakeTimers();
    await addCodes(t, "111111", "222222");
    const root = await signedIn(t, (await admin(t)).userId, false);
    for (const code of ["111111", "222222"]) {
      expect(await root.as.mutation(api.otp.verifyLogin, { code })).toMatchObject({ ok: true });
    }
    expect(await root.as.query(api.profile.sessions, {})).toHaveLength(2);
    pass(15 * MINUTE_MS);
    expect(await expire()).toBe(2);
  });

  test("activity postpones it", async () => {
    vi.useFakeTimers();
    const root = await admin(t);
    pass(14 * MINUTE_MS);
    await root.as.mutation(api.sessions.touch, {});
    pass(14 * MINUTE_MS);
    expect(await expire()).toBe(0);
    expect(await root.as.query(api.viewer.get, {})).toMatchObject({ idleTimeoutMs: 900_000 });
  });

  test("idle time is counted from the last activity even when the clock was set back since", async () => {
    vi.useFakeTimers();
    const root = await admin(t);
    pass(-60 * MINUTE_MS);
    await root.as.mutation(api.sessions.touch, {});
    pass(15 * MINUTE_MS);
    expect(await expire()).toBe(1);
  });

  test("its job looks again at the moment that activity moved it to", async () => {
    vi.useFakeTimers();
    const root = await admin(t);
    pass(14 * MINUTE_MS);
    await root.as.mutation(api.sessions.touch, {});
    pass(MINUTE_MS);
    await t.mutation(internal.sessions.endWhenDue, { authSession: root.sessionId });
    expect(await root.as.query(api.viewer.get, {})).toMatchObject({ place: "admin" });
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    expect(await root.as.query(api.viewer.get, {})).toBeNull();
  });

  test("members get an idle limit by the recommended policies", async () => {
    vi.useFakeTimers();
    const root = await admin(t);
    const ada = await person(t, "ada@bank.example");
    expect(await ada.as.query(api.viewer.get, {})).toMatchObject({ idleTimeoutMs: null });
    await root.as.mutation(api.admin.policies.applyRecommended, {});
    expect(await ada.as.query(api.viewer.get, {})).toMatchObject({ idleTimeoutMs: 900_000 });
    pass(15 * MINUTE_MS);
    expect(await expire()).toBe(2);
    expect(await t.run((ctx) => ctx.db.query("sessionFactors").take(5))).toHaveLength(0);
    expect(await t.run((ctx) => ctx.db.query("sessionActivity").take(5))).toHaveLength(0);
  });

  test("sessions with very many tokens are ended a few at a time, and no token is left", async () => {
    vi.useFakeTimers();
    for (let count = 0; count < 4; count += 1) await person(t, `member${count}@bank.example`);
    await t.run(async (ctx) => {
      for (const { _id: sessionId } of await ctx.db.query("authSessions").take(5)) {
        for (let count = 0; count < 1_560; count += 1) {
          await ctx.db.insert("authRefreshTokens", { sessionId, expirationTime: Date.now() });
        }
      }
    });
    pass(12 * 60 * MINUTE_MS);
    expect(await expire()).toBe(1);
    await t.finishAllScheduledFunctions(vi.runAllTimers);
    expect(await t.run((ctx) => ctx.db.query("authSessions").take(1))).toEqual([]);
    expect(await t.run((ctx) => ctx.db.query("authRefreshTokens").take(1))).toEqual([]);
  });

  test("more sessions than fit into a batch end in one run when a policy becomes stricter", async () => {
    vi.useFakeTimers();
    const root = await admin(t);
    for (let count = 0; count < 60; count += 1) await person(t, `member${count}@bank.example`);
    await root.as.mutation(api.admin.policies.applyRecommended, {});
    pass(15 * MINUTE_MS);
    await expire();
    await t.finishAllScheduledFunctions(vi.runAllTimers);
    expect(await t.run((ctx) => ctx.db.query("authSessions").take(5))).toEqual([]);
  });

  test("it comes after twelve hours at the latest; mutations are refused even before the job runs", async () => {
    vi.useFakeTimers();
    const ada = await person(t, "ada@bank.example");
    pass(12 * 60 * MINUTE_MS);
    const call = ada.as.mutation(api.notifications.markAllRead, {});
    expect(await refusalOf(call)).toBe("NOT_SIGNED_IN");
    expect(await expire()).toBe(1);
  });
});

/** Signs in with the password only; the session still needs its code. */
async function enter(ada: Person): Promise<Person["as"]> {
  const opened = (await t.mutation(internal.authSteps.settleTry, {
    email: ada.email,
    derivedHash: "no-password",
  })) as { sessionId: string };
  return t.withIdentity({ subject: `${ada.userId}|${opened.sessionId}` });
}

describe("a session that waits for its code", () => {
  let ada: Person["as"];
  let root: Person["as"];
  const CODE = { code: "111111" };
  beforeEach(async () => {
    vi.useFakeTimers();
    await addCodes(t, CODE.code);
    ada = await enter(await person(t, "ada@bank.example"));
    root = await enter(await admin(t));
  });

  test("ends after fifteen minutes, and then no code is used up", async () => {
    pass(15 * MINUTE_MS - 1);
    expect(await expire()).toBe(0);
    pass(1);
    expect(await refusalOf(ada.mutation(api.otp.verifyLogin, CODE))).toBe("NOT_SIGNED_IN");
    expect(await t.run((ctx) => ctx.db.query("otpUses").take(1))).toEqual([]);
    await expire();
    expect(await ada.query(api.viewer.get, {})).toBeNull();
  });

  test("has the rest of its life once it has it, counted from the password", async () => {
    pass(14 * MINUTE_MS);
    for (const as of [ada, root]) {
      expect(await as.mutation(api.otp.verifyLogin, CODE)).toMatchObject({ ok: true });
    }
    const stayActive = async (minutes: number) => {
      for (let left = minutes; left > 0; left -= 10) {
        await root.mutation(api.sessions.touch, {});
        pass(Math.min(left, 10) * MINUTE_MS);
      }
    };
    const isIn = async (as: Person["as"]) =>
      (await as.mutation(api.notifications.markAllRead, {}).catch(() => "refused")) !== "refused";
    await stayActive(8 * 60 - 14 - 1);
    expect([await isIn(ada), await isIn(root)]).toEqual([true, true]);
    await stayActive(2);
    expect([await isIn(ada), await isIn(root)]).toEqual([true, false]);
    pass((4 * 60 - 2) * MINUTE_MS);
    expect(await isIn(ada)).toBe(true);
    pass(2 * MINUTE_MS);
    expect(await isIn(ada)).toBe(false);
  });

  test("has no such limit for those who are asked for no code", async () => {
    const lena = await enter(await person(t, "lena@bank.example", { status: "pending" }));
    pass(12 * 60 * MINUTE_MS - 1);
    await expire();
    expect(await lena.query(api.viewer.get, {})).toMatchObject({ place: "pending" });
  });
});

describe("the limit of sessions per person", () => {
  const isIn = async (as: Person["as"]) => (await as.query(api.viewer.get, {})) !== null;

  test("five with a passed code; sessions with only the password do not end them", async () => {
    await addCodes(t, "111111");
    const ada = await person(t, "ada@bank.example");
    const others: Person["as"][] = [];
    for (let count = 0; count < 5; count++) others.push(await enter(ada));
    expect(await isIn(ada.as)).toBe(true);
    for (const as of others) await as.mutation(api.otp.verifyLogin, { code: "111111" });
    expect(await isIn(ada.as)).toBe(false);
    for (const as of others) expect(await isIn(as)).toBe(true);
  });

  test("five that wait for their code; one more ends the oldest", async () => {
    const ada = await person(t, "ada@bank.example", { hasPassedCode: false });
    const others: Person["as"][] = [];
    for (let count = 0; count < 4; count++) others.push(await enter(ada));
    expect(await isIn(ada.as)).toBe(true);
    others.push(await enter(ada));
    expect(await isIn(ada.as)).toBe(false);
    for (const as of others) expect(await isIn(as)).toBe(true);
  });
});

test("old counters are swept with the sessions, newer ones stay", async () => {
  vi.useFakeTimers();
  const DAY_MS = 24 * 60 * MINUTE_MS;
  const nowMs = Date.now();
  await t.run(async (ctx) => {
    for (const age of [2 * DAY_MS, 2 * DAY_MS + 1]) {
      await ctx.db.insert("rateBuckets", { key: `b:${age}`, tokens: 0, updatedAt: nowMs - age });
    }
    for (const age of [30 * DAY_MS, 30 * DAY_MS + 1]) {
      const email = `${age}@bank.example`;
      await ctx.db.insert("passwordAttempts", { email, inRow: 99, updatedAt: nowMs - age });
    }
  });
  await expire();
  const left = await t.run(async (ctx) => [
    ...(await ctx.db.query("rateBuckets").take(5)).map(({ key }) => key),
    ...(await ctx.db.query("passwordAttempts").take(5)).map(({ email }) => email),
  ]);
  expect(left).toEqual([`b:${2 * DAY_MS}`, `${30 * DAY_MS}@bank.example`]);
});

describe("the caller", () => {
  test("must have a live session of their own; forged subjects are visitors", async () => {
    const ada = await person(t, "ada@bank.example");
    const ben = await person(t, "ben@bank.example");
    for (const subject of [
      `${ada.userId}|${ben.sessionId}`,
      `${ada.sessionId}|${ada.userId}`,
      `${ada.userId}|${ada.sessionId}|${ada.sessionId}`,
      `${ada.userId}`,
      `${ada.userId}|`,
      `|${ada.sessionId}`,
      "bogus|bogus",
    ]) {
      const as = t.withIdentity({ subject });
      expect(await as.query(api.viewer.get, {}), subject).toBeNull();
      expect(await refusalOf(as.query(api.notifications.mine, {}))).toBe("NOT_SIGNED_IN");
    }
  });

  test("is treated as signed out once disabled", async () => {
    const ada = await person(t, "ada@bank.example");
    await t.run((ctx) => ctx.db.patch("users", ada.userId, { disabledAt: 1 }));
    expect(await refusalOf(ada.as.query(api.notifications.mine, {}))).toBe("NOT_SIGNED_IN");
  });

  test("must change a password that is due before anything else", async () => {
    const ada = await person(t, "ada@bank.example", { mustChangePassword: true });
    expect(await ada.as.query(api.viewer.get, {})).toMatchObject({ place: "mustChangePassword" });
    const call = ada.as.query(api.accounts.listMine, {});
    expect(await refusalOf(call)).toBe("PASSWORD_CHANGE_REQUIRED");
    expect(await refusalOf(ada.as.query(api.admin.users.counts, {}))).toBe("NOT_ADMIN");
  });
});
