/** `npm run keys`: a fresh set of secrets for a real deployment, printed and kept nowhere. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fail, parseOptions } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";

const USAGE = `usage: npm run keys [-- --env | --from DIR]

Prints new secrets. Without an option: the commands that set them on a Convex deployment.

  --env       as lines of an .env file for deploy/compose.yml
  --from DIR  the commands, with the keys of a data folder whose data moves to that deployment`;

const RANDOM_BYTES = 32;

const options = parseOptions(process.argv.slice(2), USAGE, { values: ["from"], flags: ["env"] });
const keysFile = options.from === undefined ? null : path.resolve(options.from, "keys.json");
if (keysFile !== null && !existsSync(keysFile)) fail(`There are no keys in ${keysFile}.`);
ensurePackages();
const { exportJWK, exportPKCS8, generateKeyPair } = await import("jose");

const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
const random = () => randomBytes(RANDOM_BYTES).toString("base64url");
const freshKeys = {
  JWT_PRIVATE_KEY: (await exportPKCS8(privateKey)).trimEnd().replace(/\n/g, " "),
  JWKS: JSON.stringify({ keys: [{ use: "sig", ...(await exportJWK(publicKey)) }] }),
  OTP_HMAC_KEY: random(),
  OTP_ENC_KEY: random(),
};
const kept = keysFile === null ? {} : JSON.parse(readFileSync(keysFile, "utf8"));
const functionKeys = Object.fromEntries(
  Object.entries(freshKeys).map(([name, fresh]) => [name, kept[name] ?? fresh]),
);
if (options.env) {
  console.log(`INSTANCE_SECRET=${randomBytes(RANDOM_BYTES).toString("hex")}`);
  console.log(`POSTGRES_PASSWORD=${random()}`);
} else {
  for (const [name, value] of Object.entries(functionKeys)) {
    console.log(`npm run convex -- env set ${name} -- '${value}'`);
  }
}
