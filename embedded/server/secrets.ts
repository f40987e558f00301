/**
 * The keys of a deployment: generated at the first start and kept next to its data, in a file readable by its
 * owner only.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exportJWK, exportPKCS8, generateKeyPair } from "jose";
import { checkReplaced } from "../db/openDatabase.ts";
import { DB_FOLDER, KEYS_FILE } from "../operations/dataFolder.ts";
import { assertDatabase, holdsDatabase } from "../operations/staging.ts";
import { makeFolder } from "../storage/newFolder.ts";
import { readIfThere } from "../storage/reading.ts";
import { syncPathNow } from "../storage/syncTree.ts";

const RANDOM_KEY_BYTES = 32;
/** A key pair: one is useless without the other. */
const PAIR = ["JWT_PRIVATE_KEY", "JWKS"];

type Secrets = Readonly<Record<string, string>>;

/** The stored keys are unreadable, or lack one that stored data needs. Commands know it by its name. */
class KeysError extends Error {
  override readonly name = "KeysError";
}

async function signingKeys(): Promise<Secrets> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    // On one line, because environment variables pass through shells.
    JWT_PRIVATE_KEY: (await exportPKCS8(privateKey)).trimEnd().replace(/\n/g, " "),
    JWKS: JSON.stringify({ keys: [{ use: "sig", ...jwk }] }),
  };
}

function readKept(file: string): Secrets {
  const text = readIfThere(file);
  if (text === null) return {};
  let kept: unknown = null;
  try {
    kept = JSON.parse(text);
  } catch {
    // Treated like a file without keys.
  }
  if (isSecrets(kept)) return kept;
  throw new KeysError(`${file} is damaged`);
}

const isSecrets = (kept: unknown): kept is Secrets =>
  typeof kept === "object" &&
  kept !== null &&
  Object.values(kept).every((key) => typeof key === "string");

/**
 * The keys of a deployment; `given` ones override stored ones. Changes nothing.
 * @throws DamageError when a restore or an import was interrupted; KeysError when the file is damaged, or
 *   when one of `required` is missing; Error when it cannot be read
 */
export function readSecrets(
  dataDir: string,
  required: readonly string[],
  given: Secrets = {},
): Secrets {
  const file = path.join(dataDir, KEYS_FILE);
  // The keys may be part of an interrupted replacement.
  checkReplaced(path.join(dataDir, DB_FOLDER));
  const secrets = { ...readKept(file), ...given };
  const missing = required.filter((name) => !secrets[name]).join(", ");
  if (missing === "") return secrets;
  throw new KeysError(
    existsSync(file) ? `${file} lacks ${missing}` : `${file} is missing, and with it ${missing}`,
  );
}

/**
 * The deployment's keys: the pair that signs tokens (JWT_PRIVATE_KEY, JWKS) and a random value for each of
 * `names`. `given` ones take precedence and are not stored; missing ones are generated and stored; stored
 * ones are never changed. Those in `lasting` are generated only while there is no data: data that exists
 * needs the old ones.
 *
 * @throws Error for stored files without their database; DamageError and KeysError, with nothing changed, as
 *   {@link readSecrets}; KeysError when `given` has only half of the pair; Error when the file cannot be written
 */
export async function loadSecrets(
  dataDir: string,
  names: readonly string[],
  { lasting = [], given = {} }: { lasting?: readonly string[]; given?: Secrets } = {},
): Promise<Secrets> {
  assertDatabase(dataDir);
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
  return Object.keys(made).length === 0 ? known : { ...known, ...keep(dataDir, made) };
}

/**
 * Adds new keys to the stored ones. If another process stored its own at the same time, those are used.
 * @returns the stored values for the names in `made`
 */
function keep(dataDir: string, made: Secrets): Secrets {
  makeFolder(dataDir);
  const file = path.join(dataDir, KEYS_FILE);
  const staging = `${file}.${randomUUID()}`;
  try {
    for (;;) {
      const isFirst = !existsSync(file);
      const kept = readKept(file);
      const hasPair = Boolean(kept.JWT_PRIVATE_KEY && kept.JWKS);
      const missing = Object.keys(made).filter((name) =>
        PAIR.includes(name) ? !hasPair : !kept[name],
      );
      const all: Secrets = { ...kept, ...pick(made, missing) };
      if (missing.length === 0) return pick(all, Object.keys(made));
      const text = `${JSON.stringify(all, null, 2)}\n`;
      writeFileSync(staging, text, { mode: 0o600, flush: true });
      if (!isFirst) renameSync(staging, file);
      else if (!linkNew(staging, file)) continue;
      // Data that needs these keys may become durable at once.
      syncPathNow(dataDir);
      return pick(all, Object.keys(made));
    }
  } finally {
    rmSync(staging, { force: true });
  }
}

const pick = (secrets: Secrets, names: readonly string[]): Secrets =>
  Object.fromEntries(names.map((name) => [name, secrets[name] ?? ""]));

/** Links a file to a new name. Returns false when the name exists. */
function linkNew(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
