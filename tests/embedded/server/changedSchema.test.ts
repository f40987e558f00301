/** What an operator reads when a new version brings another schema to the data of the one before. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { bundleFunctions } from "../../../embedded/main";
import { temporaryDir } from "../../support/temporaryDir";
import { startTestServer } from "./testServer";

const FUNCTIONS = `
import { internalMutationGeneric } from "convex/server";
export const add = internalMutationGeneric(async (ctx) => {
  await ctx.db.insert("notes", { text: "one" });
});
`;
const schemaOf = (notes: string) => `
import { defineSchema, defineTable } from "convex/server";
import { v } from "convex/values";
export default defineSchema({ notes: ${notes} });
`;
const BEFORE = schemaOf('defineTable({ text: v.string() }).index("by_text", ["text"])');
const AFTER = schemaOf(
  'defineTable({ text: v.string(), by: v.optional(v.string()) }).index("by_by", ["by"])',
);

test("a start with another schema says what it does to the data, and no other start does", async () => {
  const folder = temporaryDir();
  // Each bundled to a folder of its own: a process loads a module once.
  const linesOf = async (version: string, schema: string) => {
    const functionsDir = path.join(folder, version);
    mkdirSync(functionsDir);
    writeFileSync(path.join(functionsDir, "schema.ts"), schema);
    writeFileSync(path.join(functionsDir, "notes.ts"), FUNCTIONS);
    const bundleDir = path.join(functionsDir, "bundle");
    await bundleFunctions(functionsDir, bundleDir);
    const server = await startTestServer({
      functions: { bundleDir },
      dataDir: path.join(folder, "data"),
      beforeServing: (host) => host.run("notes:add").then(() => undefined),
    });
    await server.close();
    return server.logLines.map((line) => line.replace(/[0-9.]+ s\.$/, "… s."));
  };
  expect(await linesOf("first", BEFORE)).toEqual([]);
  expect(await linesOf("same", BEFORE)).toEqual([]);
  expect(await linesOf("changed", AFTER)).toEqual([
    "The schema has changed: documents are checked and indexes built before anybody is served.",
    "Documents checked: 2. Indexes built: 1, removed: 1. It took … s.",
  ]);
  expect(await linesOf("sameAgain", AFTER)).toEqual([]);
});
