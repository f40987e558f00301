import { beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { addCodes, admin, newBackend, person, refusalOf, signedIn, type Backend } from "./support";

const WRONG = "Invalid OTP. Please try again.";

let t: Backend;

beforeEach(async () => {
  vi.useRealTimers();
  t = newBackend();
  await addCodes(t, "111111", "222222");
});

const ada = (options = {}) => person(t, "ada@bank.example", { hasPassedCode: false, ...options });

describe("the code of the sign-in", () => {
  test("opens the portal for this session only", async () => {
    const { as, userId } = await ada();
    const other = await signedIn(t, userId, false);
    expect(await refusalOf(as.query(api.notifications.mine, {}))).toBe("OTP_REQUIRED");
    expect(await as.mutation(api.otp.verifyLogin, { code: "111111" })).toEqual({
      ok: true,
      home: "/dashboard",
    });
    expect(await as.query(api.viewer.get, {})).toMatchObject({
      place: "member",
      home: "/dashboard",
      isSecondFactorPassed: true,
    });
    expect(await refusalOf(other.as.query(api.notifications.mine, {}))).toBe("OTP_REQUIRED");
  });

  test("is told to the person once for each session, which ends by itself", async () => {
    vi.useFakeTimers();
    const { as } = await ada();
    for (const code of ["111111", "222222"]) await as.mutation(api.otp.verifyLogin, { code });
    const events = await as.query(api.profile.securityEvents, {});
    expect(events.map(({ text }) => text)).toEqual(["Signed in."]);
    const notices = await as.query(api.notifications.mine, {});
    expect(notices.map(({ title }) => title)).toEqual(["New sign-in"]);
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    expect(await as.query(api.viewer.get, {})).toBeNull();
  });

  test("leads administrators to /admin", async () => {
    const root = await person(t, "root@bank.example", {
      role: "admin",
      status: "active",
      hasPassedCode: false,
    });
    expect(await root.as.mutation(api.otp.verifyLogin, { code: "111111" })).toEqual({
      ok: true,
      home: "/admin",
    });
  });

  test("works once per session, and in another session again", async () => {
    const { as, userId } = await ada();
    await as.mutation(api.otp.verifyLogin, { code: "111111" });
    expect(await as.mutation(api.otp.verifyLogin, { code: "111111" })).toMatchObject({
      ok: false,
      message: WRONG,
    });
    const other = await signedIn(t, userId, false);
    expect(await other.as.mutation(api.otp.verifyLogin, { code: "111111" })).toMatchObject({
      ok: true,
    });
  });

  test("works once per member, ever, under the recommended policy", async () => {
    const root = await admin(t);
    await root.as.mutation(api.admin.policies.set, { key: "otpReuse", value: '"oncePerMember"' });
    const { as, userId } = await ada();
    await as.mutation(api.otp.verifyLogin, { code: "111111" });
    const other = await signedIn(t, userId, false);
    const again = await other.as.mutation(api.otp.verifyLogin, { code: "111111" });
    expect(again).toMatchObject({ ok: false, message: WRONG });
    expect(await other.as.mutation(api.otp.verifyLogin, { code: "222222" })).toMatchObject({
      ok: true,
    });
  });

  test("used before the recommended policy works once more under it", async () => {
    const { as, userId } = await ada();
    await as.mutation(api.otp.verifyLogin, { code: "111111" });
    const root = await admin(t);
    await root.as.mutation(api.admin.policies.set, { key: "otpReuse", value: '"oncePerMember"' });
    const first = await signedIn(t, userId, false);
    expect(await first.as.mutation(api.otp.verifyLogin, { code: "111111" })).toMatchObject({
      ok: true,
    });
    const second = await signedIn(t, userId, false);
    expect(await second.as.mutation(api.otp.verifyLogin, { code: "111111" })).toMatchObject({
      ok: false,
    });
  });

  test("cannot be removed while it is the last one", async () => {
    const root = await admin(t);
    const codes = await root.as.action(api.admin.otpCodes.list, {});
    const remove = ({ _id }: (typeof codes)[number]) =>
      root.as.mutation(api.admin.otpCodes.remove, { codeId: _id });
    for (const code of codes.slice(1)) await remove(code);
    expect(await refusalOf(remove(codes[0]!))).toBe("OTP_CODE_LAST");
    expect(await root.as.action(api.admin.otpCodes.list, {})).toHaveLength(1);
  });

  test.each(["333333", "", "11111", "1111111", "１１１１１１", "11111a", " 111111", "111111\n"])(
    "refuses %j and counts it",
    async (code) => {
      const { as } = await ada();
      expect(await as.mutation(api.otp.verifyLogin, { code })).toEqual({
        ok: false,
        message: WRONG,
        attemptsLeft: 4,
      });
    },
  );

  test("is refused at once after its removal from the list", async () => {
    const root = await admin(t);
    const [first] = await root.as.action(api.admin.otpCodes.list, {});
    if (first === undefined) throw new Error("No code");
    await root.as.mutation(api.admin.otpCodes.remove, { codeId: first._id });
    const { as } = await ada();
    expect(await as.mutation(api.otp.verifyLogin, { code: first.code })).toMatchObject({
      ok: false,
    });
  });

  test("is not required of pending and rejected people", async () => {
    for (const status of ["pending", "rejected"] as const) {
      const { as } = await person(t, `${status}@bank.example`, {
        role: "pending",
        status,
        hasPassedCode: false,
      });
      const call = as.mutation(api.otp.verifyLogin, { code: "111111" });
      expect(await refusalOf(call)).toBe("NOT_APPROVED");
    }
  });
});

describe("wrong codes", () => {
  test("end the session at the fifth, and the counter is stored with every attempt", async () => {
    const { as } = await ada();
    for (const attemptsLeft of [4, 3, 2, 1, 0]) {
      const answer = await as.mutation(api.otp.verifyLogin, { code: "999999" });
      expect(answer).toMatchObject({ ok: false, attemptsLeft });
    }
    const call = as.mutation(api.otp.verifyLogin, { code: "111111" });
    expect(await refusalOf(call)).toBe("NOT_SIGNED_IN");
  });

  test("only five of fifty parallel attempts are evaluated", async () => {
    const { as, userId } = await ada();
    const tries = Array.from({ length: 50 }, () =>
      as.mutation(api.otp.verifyLogin, { code: "999999" }),
    );
    const settled = await Promise.allSettled(tries);
    expect(settled.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(5);
    const [attempts] = await t.run((ctx) => ctx.db.query("otpAttempts").take(2));
    expect(attempts).toMatchObject({ userId, inRow: 5 });
  });

  test("are counted per person across sessions: ten lock, twenty disable", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { userId } = await ada();
    const fail = async (times: number) => {
      const { as } = await signedIn(t, userId, false);
      const answers = [];
      for (let count = 0; count < times; count++) {
        answers.push(await as.mutation(api.otp.verifyLogin, { code: "999999" }));
      }
      return { as, answers };
    };
    await fail(4);
    await fail(4);
    const { as } = await fail(2);
    expect(await as.mutation(api.otp.verifyLogin, { code: "111111" })).toEqual({
      ok: false,
      message: "Too many attempts. Please wait a moment and try again.",
    });
    vi.setSystemTime(Date.now() + 15 * 60_000 + 1);
    await fail(4);
    await fail(4);
    const { answers } = await fail(2);
    expect(answers.at(-1)).toMatchObject({ ok: false, attemptsLeft: 0 });
    const user = await t.run((ctx) => ctx.db.get("users", userId));
    expect(user?.disabledAt).toBeDefined();
    expect(await t.run((ctx) => ctx.db.query("authSessions").take(20))).toEqual([]);
    expect(await t.run((ctx) => ctx.db.query("otpSessionAttempts").take(20))).toEqual([]);
  });

  test("lock the only administrator again after twenty, instead of disabling them", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { userId } = await admin(t);
    for (let lock = 0; lock < 2; lock++) {
      for (const times of [4, 4, 2]) {
        const { as } = await signedIn(t, userId, false);
        for (let count = 0; count < times; count++) {
          await as.mutation(api.otp.verifyLogin, { code: "999999" });
        }
      }
      const { as } = await signedIn(t, userId, false);
      const right = () => as.mutation(api.otp.verifyLogin, { code: "111111" });
      expect(await right()).not.toMatchObject({ ok: true });
      vi.setSystemTime(Date.now() + 15 * 60_000);
      if (lock === 1) expect(await right()).toMatchObject({ ok: true });
    }
  });

  test("add one event to the person's security page for each lock", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { as: owner, userId } = await ada({ hasPassedCode: true });
    for (const times of [4, 4, 3]) {
      const { as } = await signedIn(t, userId, false);
      for (let count = 0; count < times; count++) {
        await as.mutation(api.otp.verifyLogin, { code: "999999" });
      }
    }
    const events = await owner.query(api.profile.securityEvents, {});
    expect(events.filter(({ kind }) => kind === "locked")).toMatchObject([
      { text: "Too many wrong one-time codes." },
    ]);
    vi.setSystemTime(Date.now() + 16 * 60_000);
    const { as } = await signedIn(t, userId, false);
    await as.mutation(api.otp.verifyLogin, { code: "999999" });
    expect(await owner.query(api.profile.securityEvents, {})).toEqual(events);
  });

  test("are reset by a right one", async () => {
    const { as } = await ada();
    await as.mutation(api.otp.verifyLogin, { code: "999999" });
    await as.mutation(api.otp.verifyLogin, { code: "111111" });
    expect(await t.run((ctx) => ctx.db.query("otpAttempts").take(2))).toEqual([]);
    expect(await t.run((ctx) => ctx.db.query("otpSessionAttempts").take(2))).toEqual([]);
  });
});
