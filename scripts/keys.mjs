/** `npm run keys`: a fresh set of secrets for a real deployment, printed and kept nowhere. */
import { randomBytes } from "node:crypto";
import { parseOptions } from "./lib/args.mjs";
import { ensurePackages } from "./lib/install.mjs";

const USAGE = `usage: npm run keys [-- --env]

Prints new secrets. Without an option: the commands that set them on a Convex deployment.

  --env   as lines of an .env file for deploy/compose.yml`;

const RANDOM_BYTES = 32;

const options = parseOptions(process.argv.slice(2), USAGE, { flags: ["env"] });
ensurePackages();
const { exportJWK, exportPKCS8, generateKeyPair } = await import("jose");

const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
const random = () => randomBytes(RANDOM_BYTES).toString("base64url");
const functionKeys = {
  JWT_PRIVATE_KEY: (await exportPKCS8(privateKey)).trimEnd().replace(/\n/g, " "),
  JWKS: JSON.stringify({ keys: [{ use: "sig", ...(await exportJWK(publicKey)) }] }),
  OTP_HMAC_KEY: random(),
  OTP_ENC_KEY: random(),
};
if (options.env) {
  console.log(`INSTANCE_SECRET=${randomBytes(RANDOM_BYTES).toString("hex")}`);
  console.log(`POSTGRES_PASSWORD=${random()}`);
} else {
  for (const [name, value] of Object.entries(functionKeys)) {
    console.log(`npm run convex -- env set ${name} -- '${value}'`);
  }
}
