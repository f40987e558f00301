/** `npm run codegen`: `convex/_generated` from the functions, without a deployment. */
import path from "node:path";
import { parseOptions } from "./lib/args.mjs";
import { ensurePackages, ROOT, run } from "./lib/install.mjs";

const USAGE = `usage: npm run codegen

Writes convex/_generated from the functions in convex/, offline. Do it after adding a function module, and
commit the result.`;

parseOptions(process.argv.slice(2), USAGE);
await ensurePackages();
const bin = (...parts) => path.join(ROOT, "node_modules", ...parts);
// The CLI wants an address and a key, and with --system-udfs uses neither.
const nowhere = ["--url", "http://127.0.0.1:1", "--admin-key", "x"];
const options = ["--system-udfs", "--typecheck", "disable", ...nowhere];
await run(process.execPath, [bin("convex", "bin", "main.js"), "codegen", ...options]);
const write = ["--log-level", "warn", "--write", "convex/_generated"];
await run(process.execPath, [bin("prettier", "bin", "prettier.cjs"), ...write]);
