/** `npm run restore`: replaces the content of a data folder by a backup, after verifying it in full. */
import path from "node:path";
import { misuse, parseOptions } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";

const USAGE = `usage: npm run restore -- --from BACKUP [--data DIR] [--replace] [--verify-only]

Reads all of a backup, then puts it in place. The server must be stopped. Data that is there already is
moved to replaced-<time> inside of the data folder, and only with --replace.

  --from BACKUP   folder made by npm run backup
  --data DIR      data folder (DATA_DIR, else .data)
  --replace       move existing data aside
  --verify-only   read the backup and change nothing`;

const options = parseOptions(process.argv.slice(2), USAGE, {
  values: ["from", "data"],
  flags: ["replace", "verify-only"],
});
if (options.from === undefined) misuse(`Option --from is missing\n${USAGE}`);
await ensurePackages();
const { loadServer } = await import("./lib/builds.mjs");
const { dataDirOf, progressLine, removeIfStopped, runCommand } = await import("./lib/operator.mjs");
const { restoreDeployment, verifyBackup } = await loadServer();

await runCommand(async () => {
  const progress = progressLine();
  const onProgress = (what) => progress.show(`Verifying ${what}`);
  const from = path.resolve(options.from);
  if (options["verify-only"]) {
    const { createdAt, position, entries, files } = await verifyBackup(from, onProgress);
    progress.end();
    console.log(
      `${from} is whole: made ${createdAt}, commit ${position}, ${entries} entries, ${files.length} files.`,
    );
    return;
  }
  const dataDir = dataDirOf(options);
  const replaced = await restoreDeployment(from, dataDir, {
    mayReplace: options.replace === true,
    onProgress,
    onStaging: removeIfStopped,
  });
  progress.end();
  console.log(`Restored ${from} to ${dataDir}.`);
  if (replaced !== null) console.log(`What was there lies in ${replaced}.`);
}, "This backup is damaged: use another one. Nothing was changed.");
