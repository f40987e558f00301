/**
 * Runs a TypeScript file of this repository with Node: `node scripts/run.mjs <file.ts> [arguments]`.
 *
 * Node 20 cannot strip types, so esbuild bundles our own sources (packages stay external) into
 * node_modules/.cache and the result is imported in this process.
 */
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ensurePackages, ROOT } from "./lib/install.mjs";

const [file, ...rest] = process.argv.slice(2);
if (!file) {
  console.error("usage: node scripts/run.mjs <file.ts> [arguments]");
  process.exit(2);
}
await ensurePackages();
const { build } = await import("esbuild");
const entry = path.resolve(file);
const outDir = path.join(ROOT, "node_modules", ".cache", "run");
await mkdir(outDir, { recursive: true });
const outFile = path.join(
  outDir,
  `${path.basename(entry, path.extname(entry))}-${process.pid}.mjs`,
);
/** In one bundle all files would share one `import.meta.dirname`; this gives each file its own. */
const ownDirname = {
  name: "own-dirname",
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      return {
        contents: text.replaceAll("import.meta.dirname", JSON.stringify(path.dirname(file))),
        loader: file.endsWith("x") ? "tsx" : "ts",
      };
    });
  },
};
/** The bundle removes its file as soon as it runs: a signal that ends it leaves no time for that. */
const removal = `import { rmSync as $rmSync } from "node:fs"; $rmSync(${JSON.stringify(outFile)});`;
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
  plugins: [ownDirname],
  banner: { js: removal },
});
process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], entry, ...rest];
await import(pathToFileURL(outFile).href);
