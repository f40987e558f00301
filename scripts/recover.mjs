/** `npm run recover`: rebuilds a damaged store from the log, or applies the log to a sound one. */
import { parseOptions } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";

const USAGE = `usage: npm run recover [-- --data DIR]

Makes a damaged store anew from the log, with everything that was ever acknowledged; a sound one that a
server could not bring up to its log is brought there. The server must be stopped. Refused, with nothing
changed, when there is nothing to do, and when the log is damaged too or does not go back to the beginning
(it keeps 256 MiB, and begins anew after a restore): then restore a backup. A damaged store stays inside of
the data folder, as db/store.damaged-<number>.

  --data DIR  data folder (DATA_DIR, else .data)`;

const options = parseOptions(process.argv.slice(2), USAGE, { values: ["data"] });
await ensurePackages();
const { loadServer } = await import("./lib/builds.mjs");
const { dataDirOf, runCommand } = await import("./lib/operator.mjs");
const { rebuildStopped } = await loadServer();

await runCommand(async () => {
  const dataDir = dataDirOf(options);
  const { commits, aside } = await rebuildStopped(dataDir);
  if (aside === null) {
    console.log(
      `The store of ${dataDir} was sound and lacked ${commits} commits: it has them now.`,
    );
    return;
  }
  console.log(`The store of ${dataDir} has all ${commits} commits of the log again.`);
  console.log(`The damaged one lies in ${aside}.`);
});
