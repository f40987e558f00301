/** Node with the server's imports and the product's functions, and nothing done with them: row 8's yardstick. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { readPlan } from "./plan";

const { root } = readPlan<{ readonly root: string }>();
const load = (...parts: string[]): Promise<unknown> =>
  import(pathToFileURL(path.join(root, ...parts)).href);

await load("dist", "server", "main.js");
await load("scripts", "lib", "product.mjs");
// The functions find this process's own globals where the server gives them a sandbox.
Object.assign(globalThis, { [Symbol.for("embedded.convex.sandbox")]: { isolate: globalThis } });
const manifest = JSON.parse(
  readFileSync(path.join(root, "dist", "functions", "manifest.json"), "utf8"),
) as { readonly modules: readonly { readonly file: string }[] };
let failed = 0;
for (const { file } of manifest.modules) {
  await load("dist", "functions", file).catch(() => (failed += 1));
}
// Some want the server's environment at once, and are read and parsed all the same.
if (failed > manifest.modules.length / 2) throw new Error(`${failed} modules do not load`);
console.log("ready");
process.on("disconnect", () => process.exit(0));
