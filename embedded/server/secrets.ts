/**
 * Keys of a deployment, made at the first start and kept beside its data in a file only its owner may
 * read.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exportJWK, exportPKCS8, generateKeyPair } from "jose";
import { holdsDatabase } from "../operations/backup.ts";
import { KEYS_FILE } from "../operations/dataFolder.ts";

const RANDOM_KEY_BYTES = 32;

export type Secrets = Readonly<Record<string, string>>;

/** The kept keys are unreadable, or lack some that stored data cannot do without. */
export class KeysError extends Error {
  override readonly name = "KeysError";
}

async function signingKeys(): Promise<Secrets> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    // One line: environment variables travel through shells.
    JWT_PRIVATE_KEY: (await exportPKCS8(privateKey)).trimEnd().replace(/\n/g, " "),
    JWKS: JSON.stringify({ keys: [{ use: "sig", ...jwk }] }),
  };
}

function readKept(file: string): Secrets {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Secrets;
  } catch {
    throw new KeysError(`${file} is damaged`);
  }
}

/**
 * The keys of a deployment as they are, `given` ones before those that are kept. Changes nothing.
 * @throws KeysError when the file is damaged; when one of `required` is nowhere
 */
export function readSecrets(
  dataDir: string,
  required: readonly string[],
  given: Secrets = {},
): Secrets {
  const file = path.join(dataDir, KEYS_FILE);
  const secrets = { ...readKept(file), ...given };
  const missing = required.filter((name) => !secrets[name]).join(", ");
  if (missing === "") return secrets;
  throw new KeysError(
    existsSync(file) ? `${file} lacks ${missing}` : `${file} is missing, and with it ${missing}`,
  );
}

/**
 * The deployment's keys: the pair that signs tokens (JWT_PRIVATE_KEY, JWKS) and a random value for each
 * of `names`. `given` ones come first and are not kept; what is missing is made and kept; what is there
 * is never changed. `lasting` names those that are made only while there is no data yet: what was
 * stored cannot do without the old ones.
 *
 * @throws KeysError, with nothing changed, as {@link readSecrets}, and for half of the pair among the
 *   `given`; Error when the file cannot be written
 */
export async function loadSecrets(
  dataDir: string,
  names: readonly string[],
  { lasting = [], given = {} }: { lasting?: readonly string[]; given?: Secrets } = {},
): Promise<Secrets> {
  const known = readSecrets(dataDir, holdsDatabase(dataDir) ? lasting : [], given);
  if (!given.JWT_PRIVATE_KEY !== !given.JWKS) {
    throw new KeysError(
      "JWT_PRIVATE_KEY and JWKS belong together: the environment has one of them",
    );
  }
  const made: Record<string, string> = {};
  if (!known.JWT_PRIVATE_KEY || !known.JWKS) Object.assign(made, await signingKeys());
  for (const name of names) {
    if (!known[name]) made[name] = randomBytes(RANDOM_KEY_BYTES).toString("base64url");
  }
  if (Object.keys(made).length > 0) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const file = path.join(dataDir, KEYS_FILE);
    const staging = `${file}.new`;
    const kept = { ...readKept(file), ...made };
    writeFileSync(staging, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(staging, file);
  }
  return { ...known, ...made };
}
