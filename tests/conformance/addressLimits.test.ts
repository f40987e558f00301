import { beforeEach, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import schema from "../../convex/schema";
import { embeddedTest } from "../../embedded/testing";
import { MODULES, refusalOf, stubEnvironment, type Backend } from "../convex/support";

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

test("ten contact messages an hour from one address, and other addresses are not held up", async () => {
  for (let count = 0; count < 10; count++) await contactFrom("203.0.113.1", count);
  expect(await refusalOf(contactFrom("203.0.113.1", 10))).toBe("RATE_LIMITED");
  await contactFrom("203.0.113.2", 11);
});

test("in the demonstration everyone comes from one address, so that limit is a hundred times wider", async () => {
  vi.stubEnv("DEMO", "1");
  for (let count = 0; count < 11; count++) await contactFrom("203.0.113.1", count);
});

test("thirty sign-ins a minute from one address, known e-mail or not, then again two seconds later", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const addressKey = "key of 203.0.113.1";
  const kinds = async (times: number) => {
    const found: string[] = [];
    for (let count = 0; count < times; count++) {
      const email = `nobody${count}@bank.example`;
      found.push((await t.mutation(internal.authSteps.startTry, { email, addressKey })).kind);
    }
    return found;
  };
  expect(new Set(await kinds(30))).toEqual(new Set(["check"]));
  expect(await kinds(2)).toEqual(["limited", "limited"]);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await kinds(2)).toEqual(["check", "limited"]);
});

test("addresses are stored as keyed hashes only", async () => {
  await contactFrom("203.0.113.77", 1);
  const buckets = await t.run((ctx) => ctx.db.query("rateBuckets").take(10));
  expect(buckets.length).toBeGreaterThan(0);
  expect(JSON.stringify(buckets)).not.toContain("203.0.113.77");
});
