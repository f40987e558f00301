import { beforeEach, describe, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import { INSTITUTION } from "../../convex/shared/institution";
import { MS } from "../../convex/shared/limits";
import { clientOf, enter, stubAuthKeys } from "./authKeys";
import { addCodes, admin, newBackend, newUser, person, refusalOf, type Backend } from "./support";
import { PATIENCE } from "../support/patience";

let t: Backend;

beforeEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  t = newBackend();
});

describe("the password change", () => {
  const OLD = "correct horse battery";
  const NEW = "staple battery horse";

  const memberWithPassword = async (password = OLD) => {
    await stubAuthKeys();
    await addCodes(t, "111111");
    await enter(t, "signUp", "ada@bank.example", password);
    await t.run(async (ctx) => {
      const [user] = await ctx.db.query("users").take(1);
      if (user !== undefined) {
        await ctx.db.patch("users", user._id, { role: "user", status: "approved" });
      }
    });
    const as = clientOf(t, await enter(t, "signIn", "ada@bank.example", password));
    await as.mutation(api.otp.verifyLogin, { code: "111111" });
    return as;
  };

  test("ends every other session and makes the old password invalid", async () => {
    const as = await memberWithPassword();
    await as.action(api.profile.changePassword, { currentPassword: OLD, newPassword: NEW });
    expect(await t.run((ctx) => ctx.db.query("authSessions").take(9))).toHaveLength(1);
    expect(await as.query(api.viewer.get, {})).toMatchObject({ place: "member" });
    const old = enter(t, "signIn", "ada@bank.example", OLD);
    expect(await refusalOf(old)).toBe("INVALID_CREDENTIALS");
    await enter(t, "signIn", "ada@bank.example", NEW);
    const events = await as.query(api.profile.securityEvents, {});
    expect(events[0]).toMatchObject({
      kind: "passwordChanged",
      text: "Your password was changed.",
    });
    // Whoever was locked out by the change sees no page.
    const mail = await t.run((ctx) => ctx.db.query("outbox").order("desc").first());
    expect(mail).toMatchObject({ to: "ada@bank.example", subject: "Your password was changed" });
    expect(mail?.body).toContain(INSTITUTION.supportPhone);
    expect(mail?.body).not.toContain(NEW);
  });

  test("takes the longest password there may be, and hashes none that is longer", async () => {
    const longest = "\u{1f511}".repeat(256);
    const as = await memberWithPassword(longest);
    const hashed = vi.spyOn(crypto.subtle, "deriveBits");
    const tooLong = { currentPassword: `${longest}x`, newPassword: NEW };
    expect(await refusalOf(as.action(api.profile.changePassword, tooLong))).toBe(
      "CURRENT_PASSWORD_WRONG",
    );
    expect(hashed).not.toHaveBeenCalled();
    hashed.mockRestore();
    await as.action(api.profile.changePassword, { currentPassword: longest, newPassword: NEW });
  });

  test("refuses a weak new one before it checks the current one", async () => {
    const as = await memberWithPassword();
    const cases = [
      ["", NEW, "FILL_REQUIRED_FIELDS"],
      [OLD, OLD, "PASSWORD_UNCHANGED"],
      ["wrong", "short", "WEAK_PASSWORD"],
      ["wrong", "password123", "PASSWORD_TOO_COMMON"],
      ["wrong", NEW, "CURRENT_PASSWORD_WRONG"],
    ] as const;
    for (const [currentPassword, newPassword, code] of cases) {
      const call = as.action(api.profile.changePassword, { currentPassword, newPassword });
      expect(await refusalOf(call)).toBe(code);
    }
  });

  test("is rate-limited, so that an open session does not allow guessing", async () => {
    const ada = await person(t, "ada@bank.example");
    const { userId: personId } = ada;
    for (let count = 0; count < 10; count++) {
      await t.mutation(internal.profile.startPasswordChange, { personId });
    }
    const call = ada.as.action(api.profile.changePassword, {
      currentPassword: OLD,
      newPassword: NEW,
    });
    expect(await refusalOf(call)).toBe("RATE_LIMITED");
  });
});

describe("notifications", () => {
  test("are the person's own, newest first, and all marked as read at once", async () => {
    const ada = await person(t, "ada@bank.example");
    const ben = await person(t, "ben@bank.example");
    await t.run(async (ctx) => {
      for (let createdAt = 1; createdAt <= 25; createdAt++) {
        const base = { kind: "x", title: `Notice ${createdAt}`, body: "", createdAt };
        await ctx.db.insert("notifications", { ...base, userId: ada.userId, isRead: false });
      }
    });
    const mine = await ada.as.query(api.notifications.mine, {});
    expect(mine).toHaveLength(20);
    expect(mine[0]?.title).toBe("Notice 25");
    expect(await ada.as.query(api.notifications.unreadCount, {})).toBe(25);
    expect(await ben.as.query(api.notifications.unreadCount, {})).toBe(0);
    await ada.as.mutation(api.notifications.markAllRead, {});
    expect(await ada.as.query(api.notifications.unreadCount, {})).toBe(0);
  });

  test("are all marked as read, however many there are", async () => {
    const ada = await person(t, "ada@bank.example");
    await t.run(async (ctx) => {
      for (let createdAt = 1; createdAt <= 4_001; createdAt++) {
        const base = { kind: "x", title: "Notice", body: "", createdAt, isRead: false };
        await ctx.db.insert("notifications", { ...base, userId: ada.userId });
      }
    });
    expect(await ada.as.query(api.notifications.unreadCount, {})).toBe(100);
    vi.useFakeTimers();
    await ada.as.mutation(api.notifications.markAllRead, {});
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    vi.useRealTimers();
    expect(await ada.as.query(api.notifications.unreadCount, {})).toBe(0);
  });
});

describe("the outbox", () => {
  const queueMail = (subject = "Hello") =>
    t.run(async (ctx) => {
      await ctx.db.insert("outbox", {
        to: "ada@bank.example",
        subject,
        body: "Text",
        status: "queued",
        attempts: 0,
        createdAt: Date.now(),
        nextAttemptAt: Date.now(),
      });
    });
  const mails = () => t.run((ctx) => ctx.db.query("outbox").take(5));

  test("keeps e-mails untouched while no provider is configured", async () => {
    await queueMail();
    expect(await t.action(internal.outboxJob.deliver, {})).toBe(0);
    expect(await mails()).toMatchObject([{ status: "queued", attempts: 0 }]);
  });

  test("delivers through the provider, once", async () => {
    vi.stubEnv("MAIL_API_URL", "https://mail.example/send");
    vi.stubEnv("MAIL_API_KEY", "key");
    const fetched = vi.fn(async (_url: string, _init: RequestInit) => new Response(null));
    vi.stubGlobal("fetch", fetched);
    await queueMail();
    expect(await t.action(internal.outboxJob.deliver, {})).toBe(1);
    expect(await t.action(internal.outboxJob.deliver, {})).toBe(0);
    expect(fetched).toHaveBeenCalledTimes(1);
    const [, init] = fetched.mock.calls[0] ?? [];
    const [sent] = await mails();
    expect(sent?.status).toBe("sent");
    const headers = { Authorization: "Bearer key", "Idempotency-Key": sent?._id };
    expect(init?.headers).toMatchObject(headers);
    vi.stubEnv("MAIL_API_URL", "");
  });

  test("a delivery that is reported late does not change what is known", async () => {
    await queueMail();
    const { _id: mailId } = (await mails())[0]!;
    await t.mutation(internal.outboxJob.settle, { mailId, error: null });
    const sent = await mails();
    await t.mutation(internal.outboxJob.settle, { mailId, error: "No answer" });
    expect(await mails()).toEqual(sent);
  });

  test("is shown to administrators, newest first", async () => {
    for (const subject of ["First", "Second"]) await queueMail(subject);
    const paginationOpts = { numItems: 5, cursor: null };
    const root = await admin(t);
    const { page } = await root.as.query(api.admin.outbox.page, { paginationOpts });
    expect(page.map(({ subject }) => subject)).toEqual(["Second", "First"]);
  });

  test("keeps an e-mail that the provider refused", async () => {
    vi.stubEnv("MAIL_API_URL", "https://mail.example/send");
    vi.stubGlobal("fetch", async () => new Response(null, { status: 401 }));
    await queueMail();
    expect(await t.action(internal.outboxJob.deliver, {})).toBe(0);
    const lastError = "The provider answered 401";
    expect(await mails()).toMatchObject([{ status: "queued", attempts: 1, lastError }]);
    vi.stubEnv("MAIL_API_URL", "");
  });

  test("delivers all queued e-mails in one run, for a minute at most", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.stubEnv("MAIL_API_URL", "https://mail.example/send");
    vi.stubGlobal("fetch", async () => new Response(null));
    for (let count = 0; count < 50; count++) await queueMail();
    expect(await t.action(internal.outboxJob.deliver, {})).toBe(50);
    const slowly = async () => {
      vi.setSystemTime(Date.now() + 2_000);
      return new Response(null);
    };
    vi.stubGlobal("fetch", slowly);
    for (let count = 0; count < 50; count++) await queueMail();
    expect(await t.action(internal.outboxJob.deliver, {})).toBe(40);
    vi.stubEnv("MAIL_API_URL", "");
  });

  test("waits ten seconds for a provider that does not answer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.stubEnv("MAIL_API_URL", "https://mail.example/send");
    const hanging = vi.fn(
      (_url: string, { signal }: RequestInit) =>
        new Promise<Response>((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    );
    vi.stubGlobal("fetch", hanging);
    await queueMail();
    const delivered = t.action(internal.outboxJob.deliver, {});
    await vi.waitFor(() => expect(hanging).toHaveBeenCalled(), PATIENCE);
    vi.advanceTimersByTime(10_000);
    expect(await delivered).toBe(0);
    expect(await mails()).toMatchObject([
      { status: "queued", attempts: 1, lastError: "The provider did not answer in time" },
    ]);
    vi.stubEnv("MAIL_API_URL", "");
  });

  test("retries later, and gives up when the provider was down for most of a day", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.stubEnv("MAIL_API_URL", "https://mail.example/send");
    vi.stubGlobal("fetch", async () => new Response(null, { status: 503 }));
    const fromMs = Date.now();
    await queueMail();
    await t.action(internal.outboxJob.deliver, {});
    await t.action(internal.outboxJob.deliver, {});
    const [first] = await mails();
    expect(first).toMatchObject({
      status: "queued",
      attempts: 1,
      lastError: "The provider answered 503",
    });
    for (let mail = first; mail?.status === "queued"; [mail] = await mails()) {
      await t.action(internal.outboxJob.deliver, {});
      expect(await mails()).toEqual([mail]);
      vi.setSystemTime(mail.nextAttemptAt);
      await t.action(internal.outboxJob.deliver, {});
    }
    expect(await mails()).toMatchObject([{ status: "failed", attempts: 12 }]);
    expect(Date.now() - fromMs).toBeGreaterThan(18 * MS.HOUR_MS);
    expect(Date.now() - fromMs).toBeLessThan(MS.DAY_MS);
    vi.stubEnv("MAIL_API_URL", "");
  });
});

describe("policies", () => {
  test("accept only their two values, and each change is audited", async () => {
    const root = await admin(t);
    const set = (key: string, value: string) =>
      root.as.mutation(api.admin.policies.set, { key, value });
    expect(await refusalOf(set("nonsense", "1"))).toBe("NOT_FOUND");
    for (const value of ["7", '"8"', "{", "null"]) {
      expect(await refusalOf(set("passwordMinLength", value))).toBe("INVALID_POLICY_VALUE");
    }
    await set("passwordMinLength", "8");
    const listed = await root.as.query(api.admin.policies.list, {});
    expect(listed.find(({ key }) => key === "passwordMinLength")).toMatchObject({
      value: "8",
      asSpecified: "6",
      isOverridden: true,
    });
    const signUp = enter(t, "signUp", "zoe@bank.example", "seven77");
    expect(await refusalOf(signUp)).toBe("PASSWORD_TOO_SHORT");
    expect(await root.as.query(api.viewer.get, {})).toMatchObject({ passwordMinLength: 8 });
    const creation = root.as.action(api.admin.users.create, newUser({ password: "seven77" }));
    await expect(creation).rejects.toMatchObject({ data: { code: "PASSWORD_TOO_SHORT" } });
    await expect(creation).rejects.toThrow("at least 8 characters");
    const change = { currentPassword: "x", newPassword: "seven77" };
    await expect(root.as.action(api.profile.changePassword, change)).rejects.toThrow("at least 8");
    await set("passwordMinLength", "6");
    expect(await root.as.query(api.viewer.get, {})).toMatchObject({ passwordMinLength: 6 });
    const after = await root.as.query(api.admin.policies.list, {});
    expect(after.every(({ isOverridden }) => !isOverridden)).toBe(true);
    const entries = await t.run((ctx) => ctx.db.query("auditLog").take(9));
    expect(entries.map((entry) => [entry.before, entry.after])).toEqual([
      ['"6"', '"8"'],
      ['"8"', '"6"'],
    ]);
  });
});
