/** `npm run build`: backend, functions and client into dist/, each only when its sources changed. */
import { fail, parseOptions } from "./lib/args.mjs";
import { CLIENT_SETTINGS, malformedSettings } from "./lib/configuration.mjs";
import { ensurePackages } from "./lib/install.mjs";
import { runCommand } from "./lib/operator.mjs";

const USAGE = `usage: npm run build

Builds dist/server, dist/functions and dist/client where their sources changed.`;

parseOptions(process.argv.slice(2), USAGE);
const malformed = malformedSettings(process.env, CLIENT_SETTINGS);
if (malformed.length > 0) fail(malformed.join("\n"));
await ensurePackages();
const { ensureAll } = await import("./lib/builds.mjs");
await runCommand(ensureAll);
