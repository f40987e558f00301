/**
 * A file stored or deleted by a nested mutation is so with its other writes or not at all, however slow the disk
 * is.
 */
import {
  defineSchema,
  defineTable,
  internalMutationGeneric,
  makeFunctionReference,
  type StorageActionWriter,
} from "convex/server";
import { v } from "convex/values";
import { describe, expect, test } from "vitest";
import { embeddedTest } from "../../../embedded/testing";

const schema = defineSchema({ rows: defineTable({ storageId: v.id("_storage") }) });
const ref = (name: string) =>
  makeFunctionReference<"mutation", Record<string, never>, null>(`rows:${name}`);

interface Ctx {
  readonly storage: StorageActionWriter;
}

/** `ctx.storage.store` without its turns before the syscall: the write is in progress when this returns. */
async function store(): Promise<string> {
  const { Convex } = globalThis as unknown as {
    Convex: { asyncSyscall(op: string, argsJson: string): Promise<string> };
  };
  const blob = Buffer.from("hello").toString("base64");
  const args = JSON.stringify({ blob, contentType: "text/plain" });
  return JSON.parse(await Convex.asyncSyscall("1.0/storageStore", args)) as string;
}

const MODULES = {
  /** Fails while its own file is being written. */
  hasty: internalMutationGeneric({
    args: {},
    handler: () => {
      store().catch(() => undefined);
      throw new Error("refused");
    },
  }),
  afterHasty: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      await ctx.runMutation(ref("hasty"), {}).catch(() => undefined);
      // By then the nested call's write has ended as well.
      for (let file = 0; file < 3; file += 1) {
        await ctx.db.insert("rows", { storageId: await store() });
      }
      return null;
    },
  }),
  slow: internalMutationGeneric({
    args: {},
    handler: async () => {
      for (let file = 0; file < 3; file += 1) await store();
      throw new Error("refused");
    },
  }),
  /** Its own file is being written while its nested call fails. */
  besideSlow: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      const stored = store();
      await ctx.runMutation(ref("slow"), {}).catch(() => undefined);
      await ctx.db.insert("rows", { storageId: await stored });
      return null;
    },
  }),
  erase: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      const [file] = await ctx.db.system.query("_storage").take(1);
      await ctx.storage.delete(file!._id);
      throw new Error("refused");
    },
  }),
  afterErase: internalMutationGeneric({
    args: {},
    handler: async (ctx) => {
      await ctx.runMutation(ref("erase"), {}).catch(() => undefined);
      return null;
    },
  }),
};

describe.each(["native", "sdk"] as const)("in the %s context", (context) => {
  const modules = {
    "/convex/_generated/api.js": () => Promise.resolve({}),
    "/convex/rows.ts": () => Promise.resolve(MODULES),
  };

  async function storedAfter(name: keyof typeof MODULES) {
    const t = embeddedTest(schema, modules, { context });
    await t.mutation(ref(name), {});
    return await t.run(async (ctx) => ({
      files: (await ctx.db.system.query("_storage").take(10)).map(({ _id }) => _id),
      noted: (await ctx.db.query("rows").take(10)).map(({ storageId }) => storageId),
    }));
  }

  test("one that failed leaves no file, also of a write that ends later", async () => {
    const { files, noted } = await storedAfter("afterHasty");
    expect(noted).toHaveLength(3);
    expect(files).toEqual(noted);
  });

  test("one that failed deletes no file", async () => {
    const t = embeddedTest(schema, modules, { context });
    const id = await t.action(({ storage }: Ctx) => storage.store(new Blob(["picture"])));
    await t.mutation(ref("afterErase"), {});
    const text = await t.action(async ({ storage }: Ctx) => (await storage.get(id))?.text());
    expect(text).toBe("picture");
  });

  test("one that failed takes no file of its caller with it", async () => {
    const { files, noted } = await storedAfter("besideSlow");
    expect(noted).toHaveLength(1);
    expect(files).toEqual(noted);
  });
});
