/**
 * PBKDF2 for user functions, in threads of a lower priority (keyThreads). The result is SubtleCrypto's, byte for byte;
 * everything except plain PBKDF2 of a known key is left to SubtleCrypto.
 *
 * Not here: which functions may derive keys (sandbox).
 */
import type { webcrypto } from "node:crypto";
import { KeyThreads, type KeyJob } from "./keyThreads.ts";

const BITS_PER_BYTE = 8;
/** Maps the names of SubtleCrypto, in upper case, to those of `node:crypto`. */
const DIGESTS: Readonly<Record<string, string>> = {
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512",
};

const threads = new KeyThreads();

/** The secrets of imported PBKDF2 keys; a CryptoKey does not reveal its own. */
const secrets = new WeakMap<webcrypto.CryptoKey, Uint8Array>();

function bytesOf(source: unknown): Uint8Array | null {
  if (source instanceof ArrayBuffer) return new Uint8Array(source.slice(0));
  if (!ArrayBuffer.isView(source)) return null;
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
}

/** Name of a SubtleCrypto algorithm given as a string or object, in upper case; "" when it has none. */
export function algorithmName(algorithm: unknown): string {
  const isObject = typeof algorithm === "object" && algorithm !== null;
  const name = isObject && "name" in algorithm ? algorithm.name : algorithm;
  return typeof name === "string" ? name.toUpperCase() : "";
}

/** Returns the key that `importKey` makes from `args`, and remembers the secret of a PBKDF2 key. */
export async function noteImportedKey(
  imported: Promise<webcrypto.CryptoKey>,
  [format, data, algorithm]: readonly unknown[],
): Promise<webcrypto.CryptoKey> {
  const isKnown = format === "raw" && algorithmName(algorithm) === "PBKDF2";
  // Copied now: the caller may overwrite it while the key is imported.
  const bytes = isKnown ? bytesOf(data) : null;
  const key = await imported;
  if (bytes !== null) secrets.set(key, bytes);
  return key;
}

function jobOf([algorithm, key, bitCount]: readonly unknown[]): KeyJob | null {
  if (
    typeof algorithm !== "object" ||
    algorithm === null ||
    algorithmName(algorithm) !== "PBKDF2"
  ) {
    return null;
  }
  const { hash, salt, iterations } = algorithm as Partial<webcrypto.Pbkdf2Params>;
  const known = key as webcrypto.CryptoKey;
  const password = secrets.get(known);
  const digest = DIGESTS[algorithmName(hash)];
  const saltBytes = bytesOf(salt);
  const isWhole = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;
  if (password === undefined || !known.usages.includes("deriveBits")) return null;
  if (digest === undefined || saltBytes === null) return null;
  if (!isWhole(iterations) || !isWhole(bitCount) || bitCount % BITS_PER_BYTE !== 0) return null;
  const byteCount = bitCount / BITS_PER_BYTE;
  return { password, salt: saltBytes, iterations, byteCount, digest };
}

/**
 * Runs `deriveBits` in a low-priority thread; null when SubtleCrypto has to do it.
 *
 * @param args the arguments of `deriveBits`
 */
export function deriveBitsInThread(args: readonly unknown[]): Promise<ArrayBuffer> | null {
  const job = jobOf(args);
  return job === null ? null : threads.derive(job);
}
