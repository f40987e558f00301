/** Ids of other tables, of system tables and of none are refused in the official words, on both contexts. */
import { defineSchema, defineTable } from "convex/server";
import { v } from "convex/values";
import { describe, expect, test } from "vitest";
import { encodeId } from "../../../embedded/db/ids";
import { embeddedTest } from "../../../embedded/testing";

const schema = defineSchema({
  notes: defineTable({ text: v.string() }),
  people: defineTable({ name: v.string() }),
});

describe.each(["sdk", "native"] as const)("with the %s context", (context) => {
  const newBackend = () => embeddedTest(schema, {}, { context });
  type Db = Parameters<Parameters<ReturnType<typeof newBackend>["run"]>[0]>[0]["db"];
  /** What the library refuses by its types only. */
  type Loose = Record<
    "get" | "patch" | "replace" | "delete",
    (...args: unknown[]) => Promise<unknown>
  > & { readonly system: Record<"get", (...args: unknown[]) => Promise<unknown>> };
  const loose = (db: Db) => db as unknown as Loose;

  async function withIds() {
    const t = newBackend();
    const ids = await t.run(async (ctx) => ({
      note: await ctx.db.insert("notes", { text: "" }),
      person: await ctx.db.insert("people", { name: "" }),
      file: await ctx.storage.store(new Blob(["x"])),
    }));
    const use = (body: (db: Loose) => Promise<unknown>) => t.run((ctx) => body(loose(ctx.db)));
    return { ids, use };
  }

  test("an id of another table", async () => {
    const { ids, use } = await withIds();
    const mismatch = (operation: string) =>
      `Invalid argument \`id\` for \`db.${operation}\`: ` +
      'expected to be an Id<"notes">, got Id<"people"> instead.';
    await expect(use((db) => db.get("notes", ids.person))).rejects.toThrow(mismatch("get"));
    await expect(use((db) => db.patch("notes", ids.person, {}))).rejects.toThrow(mismatch("patch"));
    await expect(use((db) => db.replace("notes", ids.person, {}))).rejects.toThrow(
      mismatch("replace"),
    );
    await expect(use((db) => db.delete("notes", ids.person))).rejects.toThrow(mismatch("delete"));
  });

  test("an id of a system table, and one of another table by db.system", async () => {
    const { ids, use } = await withIds();
    const system = "System tables can only be accessed with db.system.";
    await expect(use((db) => db.get(ids.file))).rejects.toThrow(system);
    await expect(use((db) => db.patch(ids.file, {}))).rejects.toThrow(system);
    await expect(use((db) => db.delete(ids.file))).rejects.toThrow(system);
    expect(await use((db) => db.system.get(ids.file))).toMatchObject({ _id: ids.file });
    await expect(use((db) => db.system.get(ids.note))).rejects.toThrow(
      "User tables cannot be accessed with db.system.",
    );
  });

  test("an id of no table, and of tables that functions cannot see", async () => {
    const { use } = await withIds();
    const visible = /^System tables can only be accessed/;
    // The numbers below 10,000 are those of system tables.
    const numbers = [...Array.from({ length: 60 }, (_, at) => at + 1), 30_000];
    for (const id of numbers.map((number) => encodeId(number, new Uint8Array(16)))) {
      const error = await use((db) => db.patch(id, {})).catch(String);
      if (visible.test(String(error).replace(/^Error: /, ""))) continue;
      expect(error).toBe(
        `Error: Invalid argument \`id\` for \`db.patch\`: Table for ID "${id}" not found`,
      );
      expect(await use((db) => db.get(id))).toBeNull();
      expect(await use((db) => db.system.get(id))).toBeNull();
    }
  });
});

test("only a scheduled function can be canceled", async () => {
  const t = embeddedTest(schema, {});
  const note = await t.run((ctx) => ctx.db.insert("notes", { text: "" }));
  await expect(t.run((ctx) => ctx.scheduler.cancel(note as never))).rejects.toThrow(
    "Invalid scheduled function ID. The ID must be an ID on the '_scheduled_functions' table.",
  );
});
