/** `npm run build`: backend, functions and client into dist/, each only when its sources changed. */
import { parseOptions } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";

const USAGE = `usage: npm run build

Builds dist/server, dist/functions and dist/client where their sources changed.`;

parseOptions(process.argv.slice(2), USAGE);
await ensurePackages();
const { ensureAll } = await import("./lib/builds.mjs");
await ensureAll();
