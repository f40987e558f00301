/** Prepared data folders with people who are signed in, and their tokens. */
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { importPKCS8, SignJWT, type CryptoKey } from "jose";
import { ROOT, start, temporaryFolder } from "./processes";
import {
  PEOPLE_FILE,
  type SeededPeople,
  type SeededPerson,
  type SeedPlan,
  type ServerPlan,
} from "./programs/serverPlan";

const TOKEN_LIFE = "3h";

/** Data to serve, and the port its tokens are made for. */
export interface Served {
  readonly dir: string;
  readonly port: number;
}

/** A folder to copy for each fresh server. */
export interface SeededFolder extends Served {
  readonly people: SeededPeople;
  /** A token for a seeded person, signed like the product's own tokens for its origin. */
  tokenOf(person: SeededPerson): Promise<string>;
  /** A fresh copy, already on disk. */
  copy(): Served & { remove(): void };
}

/**
 * Fills a folder with the product's own `dev/seed:large`. Existing people are kept and get new sessions,
 * because those of an earlier run have expired.
 * @param keptDir a folder to keep; null for a temporary one
 */
export async function seedFolder(
  port: number,
  seed: SeedPlan,
  keptDir: string | null,
): Promise<SeededFolder> {
  const dir = keptDir ?? temporaryFolder().dir;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const plan: ServerPlan = { root: ROOT, dataDir: dir, port, seed };
  // Most objects live until they are stored. A large young generation avoids copying them.
  const seeder = start("ourServer", plan, ["--max-semi-space-size=64"]);
  await seeder.line("seeded");
  await seeder.stop();
  const people = JSON.parse(readFileSync(path.join(dir, PEOPLE_FILE), "utf8")) as SeededPeople;
  const keys = JSON.parse(readFileSync(path.join(dir, "keys.json"), "utf8")) as {
    readonly JWT_PRIVATE_KEY: string;
  };
  const key = await importPKCS8(keys.JWT_PRIVATE_KEY, "RS256");
  const origin = `http://127.0.0.1:${port}`;
  return {
    dir,
    port,
    people,
    tokenOf: ({ userId, sessionId }) => sign(key, `${userId}|${sessionId}`, "convex", origin),
    copy() {
      const copy = temporaryFolder();
      cpSync(dir, copy.dir, { recursive: true });
      // Otherwise the measured syncs would also write the copy's own pages.
      spawnSync("sync");
      return { ...copy, port };
    },
  };
}

/** @param kid name of the key, which custom tokens must give and the product's do not */
function sign(
  key: CryptoKey,
  subject: string,
  audience: string,
  issuer: string,
  kid?: string,
): Promise<string> {
  return new SignJWT({ sub: subject })
    .setProtectedHeader({ alg: "RS256", ...(kid !== undefined && { kid }) })
    .setIssuedAt()
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(TOKEN_LIFE)
    .sign(key);
}

/** Tokens of people of the peer and of the benchmark's own bank, by their id there. */
export async function peerTokens(): Promise<{
  readonly publicKeyPem: string;
  /** The same key as a key set in a data URI. */
  readonly jwksUri: string;
  readonly tokenOf: (id: number | string) => Promise<string>;
}> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const key = await importPKCS8(privateKey, "RS256");
  const kid = "bench";
  const jwk = {
    ...createPublicKey(publicKey).export({ format: "jwk" }),
    alg: "RS256",
    use: "sig",
    kid,
  };
  const keySet = Buffer.from(JSON.stringify({ keys: [jwk] })).toString("base64");
  return {
    publicKeyPem: publicKey,
    jwksUri: `data:application/json;base64,${keySet}`,
    tokenOf: (id) => sign(key, String(id), "bench", "http://peer.example", kid),
  };
}
