/** `npm run import`: fills a data folder from an archive in the official format. */
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fail, misuse, parseOptions } from "./lib/args.mjs";
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
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    fail(`There is no file ${path.resolve(file)}: name another one.`);
  }
}
ensurePackages();
const { FUNCTIONS_DIST, ensureFunctions, loadServer } = await import("./lib/builds.mjs");
const { dataDirOf, progressLine, runCommand } = await import("./lib/operator.mjs");
const { areLastingKeys, KEYS_NEXT, productOptions, readKeys } = await import("./lib/product.mjs");
const backend = await loadServer();
await ensureFunctions();

await runCommand(async () => {
  const dataDir = dataDirOf(options);
  const keysFile = path.join(dataDir, backend.KEYS_FILE);
  if (options.keys !== undefined && existsSync(keysFile)) {
    throw new Error(`${keysFile} is there already. Move it away if it is not the right one.`);
  }
  const keys = options.keys === undefined ? null : readFileSync(options.keys, "utf8");
  // Before what takes minutes, and before a folder has data that nothing can start.
  if (keys !== null && !areLastingKeys(keys)) {
    throw new Error(
      `${path.resolve(options.keys)} does not hold the keys of a deployment: name its keys.json.`,
    );
  }
  const progress = progressLine();
  const { tables, documents, files, replaced } = await backend.importStopped(
    path.resolve(options.from),
    dataDir,
    {
      mayReplace: options.replace === true,
      verify,
      keys,
      onProgress: (what) => progress.show(`Importing ${what}`),
    },
  );
  progress.end();
  console.log(
    `Imported ${documents} documents of ${tables} tables and ${files} files to ${dataDir}.`,
  );
  if (replaced !== null) console.log(`What was there lies in ${replaced}.`);
  sayWhetherKeysAreThere(dataDir);
});

/** A start refuses data without the keys it came with. */
function sayWhetherKeysAreThere(dataDir) {
  try {
    readKeys(backend, dataDir);
  } catch (error) {
    console.log(`It cannot be started yet: ${error.message}.\n${KEYS_NEXT}`);
  }
}

/** The imported documents must fit the functions' schema, or the next start would refuse them. */
async function verify(stagedDir) {
  const scratchKeys = path.join(stagedDir, "scratch-keys");
  mkdirSync(scratchKeys, { mode: 0o700 });
  const product = await productOptions(backend, {
    functions: { bundleDir: FUNCTIONS_DIST },
    staticDir: null,
    port: 0,
    host: "127.0.0.1",
    dataDir: scratchKeys,
    isDemo: false,
    log: () => undefined,
  });
  const opened = await backend.openStopped({ ...product, dataDir: stagedDir });
  await opened.backend.close();
}
