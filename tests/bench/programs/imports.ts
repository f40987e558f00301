/** Node with the server's imports and the product's functions, and nothing done with them: row 8's yardstick. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { BundleExports } from "../../../embedded/runtime/bundle";
import { readPlan } from "./plan";

const { root } = readPlan<{ readonly root: string }>();
const load = (...parts: string[]): Promise<unknown> =>
  import(pathToFileURL(path.join(root, ...parts)).href);

await load("dist", "server", "main.js");
await load("scripts", "lib", "product.mjs");
// The functions find this process's own globals where the server gives them a sandbox.
Object.assign(globalThis, { [Symbol.for("embedded.convex.sandbox")]: { isolate: globalThis } });
const { modules } = (await load("dist", "functions", "isolate.js")) as BundleExports;
let failed = 0;
for (const evaluate of Object.values(modules)) await evaluate().catch(() => (failed += 1));
// Some want the server's environment at once, and are read and parsed all the same.
if (failed > Object.keys(modules).length / 2) throw new Error(`${failed} modules do not load`);
console.log("ready");
process.on("disconnect", () => process.exit(0));
