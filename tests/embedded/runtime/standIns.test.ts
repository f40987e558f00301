/** A functions folder without a project around it. */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFunctionReference } from "convex/server";
import { expect, test } from "vitest";
import { bundleFunctions } from "../../../embedded/main";
import { embeddedTest } from "../../../embedded/testing";
import { temporaryDir } from "../../support/temporaryDir";

const SCHEMA = `
  import { defineSchema, defineTable } from "convex/server";
  import { v } from "convex/values";
  export default defineSchema({ notes: defineTable({ text: v.string() }) });
`;
const NOTES = `
  import { v } from "convex/values";
  import { internal } from "./_generated/api";
  import { internalMutation, mutation, query } from "./_generated/server";
  export const list = query({ args: {}, handler: (ctx) => ctx.db.query("notes").collect() });
  export const insert = internalMutation({
    args: { text: v.string() },
    handler: (ctx, { text }) => ctx.db.insert("notes", { text }),
  });
  export const add = mutation({
    args: { text: v.string() },
    handler: (ctx, { text }) => ctx.runMutation(internal.notes.insert, { text: text + MARK }),
  });
  import { MARK } from "./mark";
`;

/** A folder far from any \`node_modules\`; removed when the test ends. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const dir = temporaryDir();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

const add = makeFunctionReference<"mutation", { text: string }>("notes:add");
const list = makeFunctionReference<"query", Record<string, never>, unknown[]>("notes:list");

async function addAndList(files: Readonly<Record<string, string>>): Promise<unknown[]> {
  const t = embeddedTest(undefined, folderOf(files));
  await t.mutation(add, { text: "milk" });
  return t.query(list, {});
}

test("it runs without a package and without generated code", async () => {
  const files = { "schema.ts": SCHEMA, "notes.ts": NOTES, "mark.ts": 'export const MARK = "!";' };
  expect(await addAndList(files)).toMatchObject([{ text: "milk!" }]);
});

test("generated code that is there is used", async () => {
  const own =
    'export { queryGeneric as query, mutationGeneric as mutation, internalMutationGeneric as internalMutation } from "convex/server"; export const MARK = " (own)";';
  const files = {
    "schema.ts": SCHEMA,
    "notes.ts": NOTES.replace("./mark", "./_generated/server"),
    "_generated/server.js": own,
  };
  expect(await addAndList(files)).toMatchObject([{ text: "milk (own)" }]);
});

test("another package that is missing is named", async () => {
  const files = { "notes.ts": 'import "left-out"; export const x = 1;' };
  await expect(addAndList(files)).rejects.toThrow('Could not resolve "left-out"');
});

test("a bundle that fails leaves nothing behind", async () => {
  const functionsDir = folderOf({ "notes.ts": 'import "left-out"; export const none = 0;' });
  const dir = folderOf({});
  await expect(bundleFunctions(functionsDir, path.join(dir, "bundle"))).rejects.toThrow("left-out");
  expect(readdirSync(dir)).toEqual([]);
});

test("what a killed bundling left is gone after the next one", async () => {
  const dir = folderOf({});
  const outDir = path.join(dir, "bundle");
  cpSync(folderOf({ "half.js": "" }), `${outDir}.new`, { recursive: true });
  await bundleFunctions(folderOf({ "notes.ts": "export const none = 0;" }), outDir);
  expect(readdirSync(dir)).toEqual(["bundle"]);
});
