/**
 * `npm run soak`: mixed load for a long time, with broken connections, stops and kills. Never part of `npm
 * test`.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { countOf, parseOptions } from "./lib/args.mjs";
import { ensurePackages, ROOT } from "./lib/install.mjs";
import { STOP_SIGNALS } from "./lib/signals.mjs";

const USAGE = `usage: npm run soak [-- --minutes N]

Runs the product under mixed load, cuts connections, stops and kills the server, and then proves that no
cent was lost or doubled, that every acknowledged transfer is there once, and that memory stayed flat.

  --minutes N   how long (20)`;

const options = parseOptions(process.argv.slice(2), USAGE, { values: ["minutes"] });
const minutes = countOf(options.minutes ?? "20", "--minutes");
await ensurePackages();
const script = path.join(ROOT, "tests", "faults", "soak.ts");
// Before there is a process that a signal has to end.
for (const signal of STOP_SIGNALS) process.on(signal, () => child.kill(signal));
const child = spawn(
  process.execPath,
  [path.join(ROOT, "scripts", "run.mjs"), script, String(minutes)],
  { cwd: ROOT, stdio: "inherit" },
);
child.on("close", (code) => process.exit(code ?? 1));
