/** `npm run import`: fills a data folder from an archive in the official format. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fail, misuse, parseOptions, statsOf } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";

const USAGE = `usage: npm run import -- --from FILE.zip [--data DIR] [--keys FILE] [--replace]

Reads an archive of npm run export or of \`npx convex export\`, checks it against the schema, and puts it
in place. Ids, creation times and addresses of files stay the same. The server must be stopped. Data that
is there already is moved to replaced-<time> inside of the data folder, and only with --replace.

Archives hold no keys: one-time codes can be read only with the keys of the deployment they come from.

  --from FILE.zip  the archive
  --data DIR       data folder (DATA_DIR, else .data)
  --keys FILE      keys.json of that deployment, for a data folder that has none
  --replace        move existing data aside`;

const options = parseOptions(process.argv.slice(2), USAGE, {
  values: ["from", "data", "keys"],
  flags: ["replace"],
});
if (options.from === undefined) misuse(`Option --from is missing\n${USAGE}`);
for (const file of [options.from, ...(options.keys === undefined ? [] : [options.keys])]) {
  if (!statsOf(file)?.isFile()) fail(`There is no file ${path.resolve(file)}: name another one.`);
}
await ensurePackages();
const { ensureFunctions, loadServer } = await import("./lib/builds.mjs");
const { dataDirOf, progressLine, removeIfStopped, runCommand } = await import("./lib/operator.mjs");
const { areCodesReadable, areLastingKeys, KEYS_NEXT, readKeys, stoppedOptions } =
  await import("./lib/product.mjs");
const backend = await loadServer();
await ensureFunctions();

/** Why the next start would refuse its keys; null when it would not. */
let keysFault = null;

await runCommand(async () => {
  const dataDir = dataDirOf(options);
  const keysFile = path.join(dataDir, backend.KEYS_FILE);
  if (options.keys !== undefined && existsSync(keysFile)) {
    throw new Error(`${keysFile} is there already. Move it away if it is not the right one.`);
  }
  const keys = options.keys === undefined ? null : readFileSync(options.keys, "utf8");
  // First, because the rest takes minutes, and before the folder contains data that no start accepts.
  if (keys !== null && !areLastingKeys(keys)) {
    throw new Error(
      `${path.resolve(options.keys)} does not hold the keys of a deployment: name its keys.json.`,
    );
  }
  const progress = progressLine();
  const { tables, documents, files, includesFiles, missing, replaced } =
    await backend.importStopped(path.resolve(options.from), dataDir, {
      mayReplace: options.replace === true,
      verify: (stagedDir) => verify(stagedDir, dataDir, keys),
      keys,
      onProgress: (what) => progress.show(`Importing ${what}`),
      onStaging: removeIfStopped,
    });
  progress.end();
  console.log(
    `Imported ${documents} documents of ${tables} tables and ${files} files to ${dataDir}.`,
  );
  if (!includesFiles) console.log(backend.WITHOUT_FILES);
  if (replaced !== null) console.log(`What was there lies in ${replaced}.`);
  if (keysFault !== null) console.log(`It cannot be started yet: ${keysFault}.\n${KEYS_NEXT}`);
  if (missing.length > 0) {
    fail(
      `${missing.length} stored files are not in the archive, or damaged there: ${missing.slice(0, 5).join(", ")}. ` +
        "Where they are still sound, export again, and import that with --replace.",
    );
  }
});

/** The keys that the next start would use: the given ones, otherwise those of the folder; null without any. */
function keysToCome(dataDir, given) {
  if (given !== null) return JSON.parse(given);
  try {
    return readKeys(backend, dataDir);
  } catch (error) {
    keysFault = error.message;
    return null;
  }
}

/**
 * Checks that the imported documents fit the functions' schema and that the one-time codes fit the given
 * keys: otherwise the next start would refuse them.
 */
async function verify(stagedDir, dataDir, given) {
  const scratchKeys = path.join(stagedDir, "scratch-keys");
  mkdirSync(scratchKeys, { mode: 0o700 });
  const toCome = keysToCome(dataDir, given);
  const product = await stoppedOptions(backend, {
    dataDir: scratchKeys,
    ...(toCome === null ? {} : { keys: toCome }),
  });
  const opened = await backend.openStopped({ ...product, dataDir: stagedDir });
  try {
    if (toCome !== null && !(await areCodesReadable(opened.host))) {
      const fault = "the one-time codes were sealed with other keys";
      if (given !== null)
        throw new Error(`${path.resolve(options.keys)} is of another deployment: ${fault}.`);
      keysFault = fault;
    }
  } finally {
    await opened.backend.close();
  }
}
