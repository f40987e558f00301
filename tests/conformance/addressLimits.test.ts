import { beforeEach, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import schema from "../../convex/schema";
import { embeddedTest } from "../../embedded/testing";
import {
  addCodes,
  admin,
  MODULES,
  person,
  refusalOf,
  stubEnvironment,
  type Backend,
} from "../convex/support";

type WithAddress = Backend & {
  withRequestMetadata: (facts: { ip: string; userAgent?: string }) => Backend;
};

let t: WithAddress;

beforeEach(() => {
  vi.useRealTimers();
  stubEnvironment();
  vi.stubEnv("DEMO", "0");
  t = embeddedTest(schema, MODULES) as WithAddress;
});

const MESSAGE = {
  name: "Zoe",
  subject: "general" as const,
  message: "x",
  preferredContact: "email" as const,
};
const contactFrom = (ip: string, number: number) =>
  t
    .withRequestMetadata({ ip })
    .mutation(api.contact.send, { ...MESSAGE, email: `z${number}@mail.example` });

test("one address may send ten contact messages an hour, and other addresses are not affected", async () => {
  for (let count = 0; count < 10; count++) await contactFrom("203.0.113.1", count);
  expect(await refusalOf(contactFrom("203.0.113.1", 10))).toBe("RATE_LIMITED");
  await contactFrom("203.0.113.2", 11);
});

test("one e-mail may be used for five contact messages a day per address; other addresses are not affected", async () => {
  for (let count = 0; count < 5; count++) await contactFrom("203.0.113.1", 7);
  expect(await refusalOf(contactFrom("203.0.113.1", 7))).toBe("RATE_LIMITED");
  await contactFrom("203.0.113.2", 7);
});

test("all IPv6 addresses of one /64 network count as one address", async () => {
  for (let count = 0; count < 10; count++) await contactFrom(`2001:db8:1:2::${count}`, count);
  expect(await refusalOf(contactFrom("2001:db8:1:2:a:b:c:d", 10))).toBe("RATE_LIMITED");
  await contactFrom("2001:db8:1:3::1", 11);
});

test("all /64 networks of one /48 network have the shares of sixteen, and other networks are not affected", async () => {
  const contactFromLine = (line: number, number: number) =>
    contactFrom(`2001:db8:1:${line.toString(16)}::1`, number);
  for (let count = 0; count < 160; count++) await contactFromLine(count >> 3, count);
  expect(await refusalOf(contactFromLine(500, 160))).toBe("RATE_LIMITED");
  await contactFrom("2001:db8:2:1::1", 161);
});

test("what one /64 network is refused takes nothing from the others of its /48 network", async () => {
  const contactFromOne = (number: number) => contactFrom("2001:db8:1:2::1", number);
  for (let count = 0; count < 10; count++) await contactFromOne(count);
  for (let count = 10; count < 200; count++) {
    expect(await refusalOf(contactFromOne(count))).toBe("RATE_LIMITED");
  }
  for (let count = 0; count < 150; count++) {
    await contactFrom(`2001:db8:1:${(count >> 3) + 3}::1`, 200 + count);
  }
});

test("in the demonstration, where everyone has the same address, its limit is a hundred times higher", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubEnv("DEMO", "1");
  for (let count = 0; count < 1_000; count++) await contactFrom("203.0.113.1", count);
  expect(await refusalOf(contactFrom("203.0.113.1", 1_000))).toBe("RATE_LIMITED");
});

test("one address may try thirty sign-ins a minute, known e-mail or not, and one more two seconds later", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const addressKeys = ["key of 203.0.113.1"];
  const kinds = async (times: number) => {
    const found: string[] = [];
    for (let count = 0; count < times; count++) {
      const email = `nobody${count}@bank.example`;
      found.push((await t.mutation(internal.authSteps.startTry, { email, addressKeys })).kind);
    }
    return found;
  };
  expect(new Set(await kinds(30))).toEqual(new Set(["check"]));
  expect(await kinds(2)).toEqual(["limited", "limited"]);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await kinds(2)).toEqual(["check", "limited"]);
});

test("one address may try three hundred sign-ins and five sign-ups an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const addressKeys = ["key of 203.0.113.1"];
  const startMs = Date.now();
  let signIns = 0;
  // Twelve a minute stay below the limit per minute; the hourly bucket refills by five a minute.
  for (let minute = 0; minute < 60; minute++) {
    for (let count = 0; count < 12; count++) {
      const email = `nobody${minute}.${count}@bank.example`;
      const { kind } = await t.mutation(internal.authSteps.startTry, { email, addressKeys });
      if (kind === "check") signIns += 1;
    }
    vi.setSystemTime(startMs + (minute + 1) * 60_000);
  }
  expect(signIns).toBe(300 + 59 * 5);

  const signUp = (number: number) =>
    t.mutation(internal.authSteps.startSignUp, {
      email: `new${number}@bank.example`,
      addressKeys,
      passwordLength: 12,
      refusals: [],
    });
  for (let number = 0; number < 5; number++) expect(await signUp(number)).toBeNull();
  expect(await signUp(5)).toMatchObject({ code: "RATE_LIMITED" });
  // A fifth of an hour later there is room for one.
  vi.setSystemTime(Date.now() + 12 * 60_000);
  expect(await signUp(6)).toBeNull();
  expect(await signUp(7)).toMatchObject({ code: "RATE_LIMITED" });
});

test("addresses are stored as keyed hashes only", async () => {
  await contactFrom("203.0.113.77", 1);
  const buckets = await t.run((ctx) => ctx.db.query("rateBuckets").take(10));
  expect(buckets.length).toBeGreaterThan(0);
  expect(JSON.stringify(buckets)).not.toContain("203.0.113.77");
  const { userId, sessionId } = await person(t, "ada@bank.example");
  const ada = t
    .withRequestMetadata({ ip: "203.0.113.77" })
    .withIdentity({ subject: `${userId}|${sessionId}` });
  const address = { street: "1", city: "2", state: "3", postalCode: "4" };
  await ada.mutation(api.profile.updateContact, { phone: "5", address });
  const event = await t.run((ctx) => ctx.db.query("securityEvents").first());
  expect(event?.addressKey).toMatch(/^[0-9a-f]{64}$/);
});

test("what an administrator does is kept with the same hash of the address it came from", async () => {
  const root = await admin(t);
  const lookUp = (ip: string) =>
    t
      .withRequestMetadata({ ip })
      .withIdentity({ subject: `${root.userId}|${root.sessionId}` })
      .mutation(api.admin.users.findByEmail, { email: root.email });
  for (const ip of ["203.0.113.77", "203.0.113.78", "203.0.113.77"]) await lookUp(ip);
  const entries = await t.run((ctx) => ctx.db.query("auditLog").take(5));
  const [first, second, third] = entries.map(({ addressKey }) => addressKey);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(second).not.toBe(first);
  expect(third).toBe(first);
});

test("a session is listed with the browser that passed its second step, cut to 300 characters", async () => {
  await addCodes(t, "111111");
  const before = { hasPassedCode: false };
  const { userId, sessionId } = await person(t, "ada@bank.example", before);
  const ada = t
    .withRequestMetadata({ ip: "203.0.113.77", userAgent: "x".repeat(301) })
    .withIdentity({ subject: `${userId}|${sessionId}` });
  await ada.mutation(api.otp.verifyLogin, { code: "111111" });
  const [session] = await ada.query(api.profile.sessions, {});
  expect(session?.userAgent).toBe("x".repeat(300));
});
