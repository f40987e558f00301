/** `npm run backup`: a verified copy of everything the data folder keeps, while the server runs or not. */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { fail, parseOptions } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";

const USAGE = `usage: npm run backup [-- --to DIR] [--data DIR]

Copies database, stored files and keys into a new folder and verifies the copy. The server may run.
The backup holds the keys: keep it where nobody else can read it.

  --to DIR    new folder for the backup (default: backups/<time> inside of the data folder)
  --data DIR  data folder (DATA_DIR, else .data)`;

const options = parseOptions(process.argv.slice(2), USAGE, { values: ["to", "data"] });
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
const dataDir = dataDirOf(options);
const target = options.to === undefined ? null : path.resolve(options.to);
if (target !== null && existsSync(target)) fail(`${target} exists already: name a new folder.`);

await runCommand(async () => {
  const progress = progressLine();
  const server = await runningServer(backend, dataDir);
  const summary =
    server === null ? await backupStopped(progress) : await backupRunning(server, progress);
  progress.end();
  const { folder, position, entries, files, bytes, damagedFiles } = summary;
  console.log(
    `Backup ${folder}: commit ${position}, ${entries} entries, ${files} files, ${sizeText(bytes)}, verified.`,
  );
  if (damagedFiles.length > 0) {
    fail(
      `${damagedFiles.length} stored files are missing or damaged in ${dataDir} itself and are not in the backup: ` +
        `${damagedFiles.slice(0, 5).join(", ")}. Copy them from an older backup's folder files/.`,
    );
  }
});

async function backupStopped(progress) {
  const folder = target ?? backend.newBackupFolder(dataDir);
  const finished = removeIfStopped(folder);
  const show = (what) => progress.show(`Backing up ${what}`);
  const summary = await backend.backupStopped(dataDir, folder, show);
  finished();
  return summary;
}

/** The server writes only inside its own folder; this process then moves the result. */
async function backupRunning(server, progress) {
  // Checked first: an unwritable target must not be found only after a whole backup was made.
  if (target !== null) {
    backend.makeFolder(path.dirname(target));
    checkWritable(path.dirname(target));
  }
  const answer = await server.call("/api/operator/backup", { method: "POST" });
  let last = {};
  let rest = "";
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      last = JSON.parse(line);
      if (last.progress) progress.show(`Backing up ${last.progress}`);
    }
  }
  if (last.done === undefined) {
    const { error = "The answer broke off", name = "Error" } = last;
    throw Object.assign(new Error(error), { name });
  }
  if (target === null) return last.done;
  progress.show(`Moving the backup to ${target}`);
  const { folder } = last.done;
  try {
    return { ...last.done, folder: await moveFolder(folder) };
  } catch (error) {
    throw new Error(`${error.message}\nThe backup itself is whole: ${folder}.`, { cause: error });
  }
}

async function moveFolder(from) {
  try {
    renameSync(from, target);
    await backend.syncPath(path.dirname(target));
  } catch (error) {
    if (error.code !== "EXDEV") throw error;
    // Another disk: copy and verify the copy before the original is removed. The folder is created first,
    // because newer versions of Node do not copy its permissions.
    mkdirSync(target, { mode: 0o700 });
    const finished = removeIfStopped(target);
    try {
      cpSync(from, target, { recursive: true, preserveTimestamps: true });
      await backend.syncTree(target);
      await backend.syncPath(path.dirname(target));
      await backend.verifyBackup(target);
    } catch (error) {
      rmSync(target, { recursive: true });
      throw error;
    }
    finished();
    rmSync(from, { recursive: true });
  }
  return target;
}
