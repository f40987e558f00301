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
await load("dist", "functions", "shim.isolate.js");
const manifest = JSON.parse(
  readFileSync(path.join(root, "dist", "functions", "manifest.json"), "utf8"),
) as { readonly modules: readonly { readonly file: string }[] };
// Functions need their environment to be imported; their text is read and parsed all the same.
await Promise.all(
  manifest.modules.map(({ file }) => load("dist", "functions", file).catch(() => undefined)),
);
console.log("ready");
process.on("disconnect", () => process.exit(0));
