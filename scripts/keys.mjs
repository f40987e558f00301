/** `npm run keys`: prints a new set of secrets for a real deployment, and stores them nowhere. */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { fail, misuse, parseOptions, shellWord } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";

const USAGE = `usage: npm run keys [-- --env | --from DIR]

Prints new secrets. Without an option: the commands that set them on a Convex deployment.

  --env       as lines of an .env file for deploy/compose.yml
  --from DIR  the commands, with the keys of a data folder whose data moves to that deployment`;

const RANDOM_BYTES = 32;

const options = parseOptions(process.argv.slice(2), USAGE, { values: ["from"], flags: ["env"] });
if (options.env && options.from !== undefined) {
  misuse(`--env and --from exclude each other\n${USAGE}`);
}
await ensurePackages();
const random = () => randomBytes(RANDOM_BYTES).toString("base64url");

async function freshKeys() {
  const { exportJWK, exportPKCS8, generateKeyPair } = await import("jose");
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return {
    JWT_PRIVATE_KEY: (await exportPKCS8(privateKey)).trimEnd().replace(/\n/g, " "),
    JWKS: JSON.stringify({ keys: [{ use: "sig", ...(await exportJWK(publicKey)) }] }),
    OTP_HMAC_KEY: random(),
    OTP_ENC_KEY: random(),
  };
}

/**
 * All keys that a folder's data depends on. A newly generated one in place of a missing one would lock
 * everybody out.
 */
async function keysOf(dataDir) {
  const { loadServer } = await import("./lib/builds.mjs");
  const { readLastingKeys } = await import("./lib/product.mjs");
  const backend = await loadServer();
  try {
    return readLastingKeys(backend, dataDir);
  } catch (error) {
    fail(
      `${error.message.replace(/\.$/, "")}. Nothing is printed: the data needs all of its own keys.`,
    );
  }
}

if (options.env) {
  console.log(`INSTANCE_SECRET=${randomBytes(RANDOM_BYTES).toString("hex")}`);
  console.log(`POSTGRES_PASSWORD=${random()}`);
} else {
  const keys =
    options.from === undefined ? await freshKeys() : await keysOf(path.resolve(options.from));
  for (const [name, value] of Object.entries(keys)) {
    // Quoted for the shell: keys from an untrusted folder must not contain commands.
    console.log(`npm run convex -- env set ${name} -- ${shellWord(value)}`);
  }
}
