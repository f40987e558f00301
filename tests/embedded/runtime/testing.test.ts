/** `embeddedTest` has the interface of `convexTest` and agrees with it. */
import { convexTest } from "convex-test";
import { ConvexError } from "convex/values";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { embeddedTest } from "../../../embedded/testing";
import { chat } from "../fixtures/chatApi";
import schema from "../fixtures/chat/schema";

const modules = {
  ...import.meta.glob(["../fixtures/chat/*.ts", "!**/node.ts"]),
  "../fixtures/chat/_generated/api.ts": async () => ({}),
};

const BACKENDS = [
  ["convex-test", () => convexTest(schema, modules)],
  ["embedded", () => embeddedTest(schema, modules)],
] as const;

describe.each(BACKENDS)("%s", (_name, newBackend) => {
  test("runs queries, mutations and inline functions on one database", async () => {
    const t = newBackend();
    const id = await t.mutation(chat.send, { channel: "a", body: "x" });
    expect(await t.query(chat.list, { channel: "a" })).toEqual(["x"]);
    const body = await t.run(async (ctx) => (await ctx.db.get("messages", id as never))?.body);
    expect(body).toBe("x");
  });

  test("rolls back what throws and carries the data", async () => {
    const t = newBackend();
    const thrown = await t.mutation(chat.refuse, {}).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ConvexError);
    expect(await t.query(chat.list, { channel: "refused" })).toEqual([]);
  });

  test("knows the identity it is given", async () => {
    const t = newBackend();
    expect(await t.query(chat.whoAmI, {})).toBeNull();
    expect(await t.withIdentity({ subject: "ada" }).query(chat.whoAmI, {})).toBe("ada");
  });

  test("undoes a nested mutation that throws", async () => {
    const t = newBackend();
    const { seen } = await t.mutation(chat.nested, { channel: "n" });
    expect(seen).toEqual(["kept"]);
  });

  test("refuses wrong arguments", async () => {
    const t = newBackend();
    await expect(t.query(chat.list, { channel: 5 })).rejects.toThrow();
  });
});

describe("scheduled functions", () => {
  test("finish when time is advanced", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const t = embeddedTest(schema, modules);
    await t.mutation(chat.schedule, { name: "job", delayMs: 0 });
    await t.finishAllScheduledFunctions(vi.runAllTimers);
    expect(await t.query(chat.counter, { name: "job" })).toBe(1n);
  });
});
