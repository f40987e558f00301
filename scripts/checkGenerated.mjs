/**
 * Fails when `convex/_generated` differs from what `npm run codegen` writes for the current functions. Uses
 * only the files, so it needs no repository and no network. Restores nothing: after a difference the new
 * files stay, ready to be committed.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fail } from "./lib/args.mjs";
import { ROOT } from "./lib/install.mjs";

const folder = path.join(ROOT, "convex", "_generated");
const snapshot = () =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), "utf8")]),
  );

const before = snapshot();
const codegen = path.join(ROOT, "scripts", "codegen.mjs");
const result = spawnSync(process.execPath, [codegen], { cwd: ROOT, encoding: "utf8" });
if (result.status !== 0) {
  fail(result.stdout + result.stderr);
}
const after = snapshot();
const names = new Set([...Object.keys(before), ...Object.keys(after)]);
const drifted = [...names].filter((name) => before[name] !== after[name]);
if (drifted.length > 0) {
  fail(`convex/_generated was out of date: ${drifted.join(", ")}. Commit the new files.`);
}
