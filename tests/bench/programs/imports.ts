/** Node with the server's imports and the product's functions, not running: the reference of row 8. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { BundleExports } from "../../../embedded/runtime/bundle";
import { readPlan } from "./plan";

const { root } = readPlan<{ readonly root: string }>();
const load = (...parts: string[]): Promise<unknown> =>
  import(pathToFileURL(path.join(root, ...parts)).href);

await load("dist", "server", "main.js");
await load("scripts", "lib", "product.mjs");
// The functions get this process's own globals instead of a sandbox.
Object.assign(globalThis, { [Symbol.for("embedded.convex.sandbox")]: { isolate: globalThis } });
const { modules } = (await load("dist", "functions", "isolate.js")) as BundleExports;
let failed = 0;
for (const evaluate of Object.values(modules)) await evaluate().catch(() => (failed += 1));
// Some need the server's environment while loading; they are read and parsed all the same.
if (failed > Object.keys(modules).length / 2) throw new Error(`${failed} modules do not load`);
console.log("ready");
process.on("disconnect", () => process.exit(0));
