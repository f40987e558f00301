/** `npm run convex -- …`: the official Convex CLI, for a real deployment or for the embedded one. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ensurePackages, ROOT } from "./lib/install.mjs";

const USAGE = `usage: npm run convex -- <dev|deploy|run|env|data|import|export> [options]

Runs the official CLI. For the embedded backend add --url and --admin-key, for example
  npm run convex -- data users --url http://127.0.0.1:3000 --admin-key KEY`;

const args = process.argv.slice(2);
if (args.length === 0 || args[0] === "--help" || args[0] === "-h") {
  console.log(USAGE);
  process.exit(args.length === 0 ? 2 : 0);
}
await ensurePackages();
const cli = path.join(ROOT, "node_modules", "convex", "bin", "main.js");
const result = spawnSync(process.execPath, [cli, ...args], { cwd: ROOT, stdio: "inherit" });
process.exit(result.status ?? 1);
