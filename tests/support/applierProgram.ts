/** The program of the thread that puts commits into the store, built from its source. */
import path from "node:path";
import { build } from "esbuild";

const ROOT = path.resolve(import.meta.dirname, "..", "..");

/** Builds it where its packages are found. Answers its file, which the caller removes. */
export async function buildApplierProgram(): Promise<string> {
  const outfile = path.join(ROOT, "node_modules", ".cache", `applier-${process.pid}.mjs`);
  await build({
    entryPoints: [path.join(ROOT, "embedded", "db", "applierThread.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  return outfile;
}
