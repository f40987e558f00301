/**
 * Keys of a deployment, made at the first start and kept beside its data in a file only its owner may
 * read.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exportJWK, exportPKCS8, generateKeyPair } from "jose";

const SECRETS_FILE = "keys.json";
const RANDOM_KEY_BYTES = 32;

export type Secrets = Readonly<Record<string, string>>;

async function signingKeys(): Promise<Secrets> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    // One line: environment variables travel through shells.
    JWT_PRIVATE_KEY: (await exportPKCS8(privateKey)).trimEnd().replace(/\n/g, " "),
    JWKS: JSON.stringify({ keys: [{ use: "sig", ...jwk }] }),
  };
}

/**
 * The deployment's keys: the pair that signs tokens (JWT_PRIVATE_KEY, JWKS) and a random value for each
 * of `names`. What is missing is made and kept; what is there is never changed.
 *
 * @throws Error when the file cannot be read or written.
 */
export async function loadSecrets(dataDir: string, names: readonly string[]): Promise<Secrets> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, SECRETS_FILE);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Secrets) : {};
  const secrets: Record<string, string> = { ...known };
  if (secrets.JWT_PRIVATE_KEY === undefined || secrets.JWKS === undefined) {
    Object.assign(secrets, await signingKeys());
  }
  for (const name of names) secrets[name] ??= randomBytes(RANDOM_KEY_BYTES).toString("base64url");
  if (Object.keys(secrets).length !== Object.keys(known).length) {
    const staging = `${file}.new`;
    writeFileSync(staging, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    renameSync(staging, file);
  }
  return secrets;
}
