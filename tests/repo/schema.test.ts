/** The schema says of each table who writes it. */
import { expect, test } from "vitest";
import { sources, withoutComments } from "../support/sources";

/** Only model/ledger uses them (its header says so). */
const LEDGER_PARTS = /^ledger(Writes|Effects|Removal)$/;
/** Not the demo data set: its invented history no other function may write. */
const MODEL_FILE = /^convex\/model\/(?!dev\/)(.+)\.ts$/;

/** Each table with the comment above it; tables that follow without one of their own share it. */
function tableComments(schema: string): Map<string, string> {
  const comments = new Map<string, string>();
  let comment = "";
  let isOpen = false;
  for (const line of schema.split("\n")) {
    const text = /^ {2}\/\/ (.*)$/.exec(line)?.[1];
    const table = /^ {2}(\w+): defineTable\(/.exec(line)?.[1];
    if (text !== undefined) comment = isOpen ? `${comment} ${text}` : text;
    isOpen = text !== undefined;
    if (table !== undefined) comments.set(table, comment);
  }
  return comments;
}

test("the comment above a table names every module that writes it", () => {
  const files = sources("convex");
  const schema = files.find(({ path }) => path === "convex/schema.ts")?.text ?? "";
  const comments = tableComments(schema);
  expect(comments.size).toBeGreaterThan(30);
  const missing = files.flatMap(({ path, text }) => {
    const module = MODEL_FILE.exec(path)?.[1];
    if (module === undefined) return [];
    const writer = LEDGER_PARTS.test(module) ? "ledger" : module;
    const writes = /\bdb\s*\.(?:insert|patch|replace|delete)\(\s*"(\w+)"/g;
    const tables = [...withoutComments(text).matchAll(writes)].map(([, table]) => table ?? "");
    return [...new Set(tables)]
      .filter((table) => comments.has(table))
      .filter((table) => !new RegExp(`\\bmodel/${writer}\\b`).test(comments.get(table) ?? ""))
      .map((table) => `${table}: model/${writer}`);
  });
  expect(missing).toEqual([]);
});
