/**
 * Runs a TypeScript file of this repository with Node: `node scripts/run.mjs <file.ts> [arguments]`.
 *
 * Node 20 cannot strip types, so esbuild bundles our own sources (packages stay external) into
 * node_modules/.cache and the result is imported in this process.
 */
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [file, ...rest] = process.argv.slice(2);
if (!file) {
  console.error("usage: node scripts/run.mjs <file.ts> [arguments]");
  process.exit(2);
}
const entry = path.resolve(file);
const outDir = path.join(root, "node_modules", ".cache", "run");
await mkdir(outDir, { recursive: true });
const outFile = path.join(
  outDir,
  `${path.basename(entry, path.extname(entry))}-${process.pid}.mjs`,
);
await build({
  entryPoints: [entry],
  outfile: outFile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  logLevel: "warning",
  define: { "import.meta.dirname": JSON.stringify(path.dirname(entry)) },
});
process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], entry, ...rest];
process.on("exit", () => void rm(outFile, { force: true }));
await import(pathToFileURL(outFile).href);
