/** `npm run export`: all tables and files as an archive in the official format. */
import { existsSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { fail, misuse, parseOptions, statsOf } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";

const USAGE = `usage: npm run export -- --to FILE.zip [--data DIR] [--without-files]

Writes the official snapshot format, which npm run import and \`npx convex import\` read: documents with
ids and creation times, stored files. Not in it, as officially: keys, environment, scheduled functions.
The server may run.

  --to FILE.zip     new file
  --data DIR        data folder (DATA_DIR, else .data)
  --without-files   tables only`;

const options = parseOptions(process.argv.slice(2), USAGE, {
  values: ["to", "data"],
  flags: ["without-files"],
});
if (options.to === undefined) misuse(`Option --to is missing\n${USAGE}`);
const target = path.resolve(options.to);
if (existsSync(target)) fail(`${target} exists already: name a new file.`);
/** The archive gets its name only when it is complete, so that a partial one is never mistaken for it. */
const partial = `${target}.part`;
if (existsSync(partial)) {
  fail(
    `${partial} is there: another export writes it, or one was broken off. Wait for that, or remove it.`,
  );
}
const folder = path.dirname(target);
if (!statsOf(folder)?.isDirectory()) fail(`There is no folder ${folder}: make it.`);
await ensurePackages();
const { loadServer } = await import("./lib/builds.mjs");
const {
  checkWritable,
  dataDirOf,
  progressLine,
  removeIfStopped,
  runCommand,
  runningServer,
  sizeText,
} = await import("./lib/operator.mjs");
const backend = await loadServer();
const includeFiles = options["without-files"] !== true;

await runCommand(async () => {
  const progress = progressLine();
  const dataDir = dataDirOf(options);
  const server = await runningServer(backend, dataDir);
  checkWritable(folder);
  let missing;
  if (server === null) {
    const onProgress = (what) => progress.show(`Exporting ${what}`);
    const finished = removeIfStopped(partial);
    ({ missing } = await backend.exportStopped(dataDir, partial, { includeFiles, onProgress }));
    finished();
  } else {
    missing = await exportRunning(server, progress);
  }
  putInPlace();
  await backend.syncPath(folder);
  progress.end();
  const file = await open(target);
  console.log(`Exported to ${target}, ${sizeText((await file.stat()).size)}.`);
  await file.close();
  if (missing.length > 0) {
    fail(
      `${missing.length} stored files are missing or damaged in ${dataDir}: npm run doctor names them.`,
    );
  }
});

/** Requests an archive and downloads it. Returns the files missing from it. */
async function exportRunning(server, progress) {
  progress.show("Exporting (the server writes the archive)");
  const request = await server.call(`/api/export/request/zip?includeStorage=${includeFiles}`, {
    method: "POST",
  });
  await refuseUnless(request);
  const { missing, startTs } = await request.json();
  const archive = await server.call(`/api/export/zip/${startTs}`);
  await refuseUnless(archive);
  const file = await open(partial, "wx", 0o600);
  const finished = removeIfStopped(partial);
  let bytes = 0;
  try {
    for await (const chunk of archive.body) {
      await file.writeFile(chunk);
      bytes += chunk.length;
      progress.show(`Downloading ${sizeText(bytes)}`);
    }
    await file.sync();
  } catch (error) {
    rmSync(partial);
    throw error;
  } finally {
    await file.close();
    finished();
  }
  return missing;
}

/** Nothing is left of an archive that cannot get its name: another export would stop at it. */
function putInPlace() {
  try {
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new Error(`${target} cannot be made (${error.code}): name another file.`, {
      cause: error,
    });
  }
}

async function refuseUnless(answer) {
  if (!answer.ok) throw new Error((await answer.json()).message);
}
