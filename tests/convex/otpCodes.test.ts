/** The institution's list of one-time codes: what administrators see and change. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { MS } from "../../convex/shared/limits";
import { addCodes, admin, newBackend, person, refusalOf, type Backend } from "./support";

let t: Backend;

beforeEach(async () => {
  vi.useRealTimers();
  t = newBackend();
  await addCodes(t, "111111", "222222");
});

const ada = (options = {}) => person(t, "ada@bank.example", { hasPassedCode: false, ...options });

describe("the list", () => {
  test("stores no code in plain text", async () => {
    const stored = JSON.stringify(await t.run((ctx) => ctx.db.query("otpCodes").take(5)));
    expect(stored).not.toContain("111111");
  });

  test("is shown in plain text to administrators, and viewing it is audited without codes", async () => {
    const root = await admin(t);
    const codes = await root.as.action(api.admin.otpCodes.list, {});
    expect(codes.map(({ code }) => code)).toEqual(["111111", "222222"]);
    const entries = await t.run((ctx) => ctx.db.query("auditLog").take(5));
    expect(entries.map(({ action }) => action)).toEqual(["otp.list"]);
    expect(JSON.stringify(entries)).not.toContain("111111");
  });

  test("takes six digits, once, and at most fifty", async () => {
    const root = await admin(t);
    const add = (code: string) => root.as.mutation(api.admin.otpCodes.add, { code });
    for (const code of ["12345", "1234567", "12345a", ""]) {
      expect(await refusalOf(add(code))).toBe("INVALID_OTP_FORMAT");
    }
    expect(await refusalOf(add("111111"))).toBe("OTP_CODE_EXISTS");
    for (let count = 2; count < 50; count++) await add(String(300_000 + count));
    expect(await refusalOf(add("400000"))).toBe("OTP_CODE_LIMIT");
    const listed = await root.as.action(api.admin.otpCodes.list, {});
    expect(listed.at(-1)).toMatchObject({ code: "300049", addedBy: root.email });
  });

  test("after clearing the uses, every code works again in every session", async () => {
    const root = await admin(t);
    const { as } = await ada();
    await as.mutation(api.otp.verifyLogin, { code: "111111" });
    const [used] = await root.as.action(api.admin.otpCodes.list, {});
    expect(await root.as.query(api.admin.otpCodes.summary, {})).toEqual({
      usedIds: [used?._id],
      left: null,
    });
    expect(await root.as.mutation(api.admin.otpCodes.clearUsed, {})).toEqual({ count: 1 });
    expect(await root.as.query(api.admin.otpCodes.summary, {})).toEqual({
      usedIds: [],
      left: null,
    });
    expect(await as.mutation(api.otp.verifyLogin, { code: "111111" })).toMatchObject({ ok: true });
  });

  test("is cleared of all uses, even if the clock was set back since", async () => {
    const root = await admin(t);
    const { as } = await ada();
    await as.mutation(api.otp.verifyLogin, { code: "111111" });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - MS.HOUR_MS });
    expect(await root.as.mutation(api.admin.otpCodes.clearUsed, {})).toEqual({ count: 1 });
  });

  test.each([
    ["to the end, but for later ones", undefined, 1, { count: 1_200, isFinished: true }],
    [
      "no further once the administrator may no longer act",
      1,
      201,
      { count: 1_000, isFinished: false },
    ],
  ])("with very many uses is cleared %s", async (_how, disabledAt, left, end) => {
    const root = await admin(t);
    const { userId, sessionId: authSession } = await ada();
    const uses = () => t.run((ctx) => ctx.db.query("otpUses").take(2_000));
    const use = (times: number) =>
      t.run(async (ctx) => {
        const codeId = (await ctx.db.query("otpCodes").first())!._id;
        const one = { userId, authSession, codeId, purpose: "login" as const, usedAt: 1 };
        for (let count = 0; count < times; count++) await ctx.db.insert("otpUses", one);
      });
    await use(1_200);
    vi.useFakeTimers();
    expect(await root.as.mutation(api.admin.otpCodes.clearUsed, {})).toEqual({ count: 1_000 });
    await use(1);
    await t.run((ctx) => ctx.db.patch("users", root.userId, { disabledAt }));
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    expect(await uses()).toHaveLength(left);
    const log = await t.run((ctx) => ctx.db.query("auditLog").take(5));
    expect(log.map(({ actorEmail, action, after }) => [actorEmail, action, after])).toEqual([
      [root.email, "otp.clearUsed", JSON.stringify({ count: 1_000, isFinished: false })],
      [root.email, "otp.clearUsedEnded", JSON.stringify(end)],
    ]);
  });
});
