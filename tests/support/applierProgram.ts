/** The program of the thread that puts commits into the store, built from its source. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ROOT } from "./sources";

/** Builds it where its packages can be found. Returns its file, which the caller removes. */
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

/** Writes a program that runs `program` and, when its store takes batch number `batch` (from 1), does something else. */
export function endingProgram(
  program: string,
  file: string,
  batch: number,
  instead = "process.exit(7)",
): string {
  const [lmdb, url] = [path.join(ROOT, "node_modules", "lmdb"), pathToFileURL(program)];
  fs.writeFileSync(
    file,
    `
import { createRequire } from "node:module";
const lmdb = createRequire(import.meta.url)(${JSON.stringify(lmdb)});
const { open } = lmdb;
let batches = 0;
lmdb.open = (...args) => {
  const db = open(...args);
  const { batch } = db;
  db.batch = (body) => {
    if (++batches === ${batch}) ${instead};
    return batch.call(db, body);
  };
  return db;
};
await import(${JSON.stringify(url)});`,
  );
  return file;
}
