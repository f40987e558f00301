/**
 * Cryptography: hashes and, with WebCrypto, sealed texts, random texts and password hashes.
 *
 * Not here: keys (model/env) and what is hashed or sealed (model/otpCodes, model/limits, model/chains, model/hashQueue).
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { PASSWORD_HASH_ITERATIONS } from "../shared/limits";

const encoder = new TextEncoder();
const SALT_BYTES = 16;
const IV_BYTES = 12;
const HASH_BITS = 256;
const UNIT_STEPS = 2 ** 30;
const HASH_SCHEME = "pbkdf2-sha256";

/** Lower-case hexadecimal text of bytes. */
function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = Number.parseInt(text.slice(at * 2, at * 2 + 2), 16);
  }
  return bytes;
}

/** Random bytes from the platform's generator. */
function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** Lower-case hexadecimal text of `byteCount` random bytes. */
export const randomHex = (byteCount: number): string => toHex(randomBytes(byteCount));

/** A whole number below `bound` (at most 2^32), all equally likely. */
export function randomBelow(bound: number): number {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const [value = limit] = crypto.getRandomValues(new Uint32Array(1));
    if (value < limit) return value % bound;
  }
}

/** A number in [0, 1), for number generators that take randomness as an argument. */
export const randomUnit = (): number => randomBelow(UNIT_STEPS) / UNIT_STEPS;

/**
 * SHA-256 of a text, as hexadecimal text. Synchronous, like the keyed hash: WebCrypto answers from
 * another thread, and a mutation that waits between its reads and writes meets more conflicts.
 */
export function sha256Hex(text: string): string {
  return toHex(sha256(encoder.encode(text)));
}

/** HMAC-SHA-256 of a text, as hexadecimal text. */
export function hmacHex(key: string, text: string): string {
  return toHex(hmac(sha256, encoder.encode(key), encoder.encode(text)));
}

async function sealingKey(key: string): Promise<CryptoKey> {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(key));
  return await crypto.subtle.importKey("raw", digest, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** AES-256-GCM of a text: initialisation vector and ciphertext, as hexadecimal text. */
export async function seal(key: string, text: string): Promise<string> {
  const iv = randomBytes(IV_BYTES);
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv },
    await sealingKey(key),
    encoder.encode(text),
  );
  return toHex(iv) + toHex(new Uint8Array(sealed));
}

/** The text that `seal` hid. Throws if the key differs or the text was changed. */
export async function unseal(key: string, sealed: string): Promise<string> {
  const bytes = fromHex(sealed);
  const opened = await crypto.subtle.decrypt(
    { name: "AES-GCM", iv: bytes.slice(0, IV_BYTES) },
    await sealingKey(key),
    bytes.slice(IV_BYTES),
  );
  return new TextDecoder().decode(opened);
}

/** True when both texts are equal; takes the same time wherever they differ. */
export function isEqualConstantTime(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let at = 0; at < left.length; at++) {
    difference |= left.charCodeAt(at) ^ right.charCodeAt(at % Math.max(1, right.length));
  }
  return difference === 0;
}

/** Salt and cost with which a password is hashed. */
export type PasswordParameters = { readonly iterations: number; readonly saltHex: string };

/** Parameters of a new hash. */
export function newPasswordParameters(): PasswordParameters {
  return { iterations: PASSWORD_HASH_ITERATIONS, saltHex: randomHex(SALT_BYTES) };
}

/** Parameters of a stored hash; null when the text is not one of ours. */
export function parametersOf(storedHash: string): PasswordParameters | null {
  const [scheme, iterations, saltHex] = storedHash.split("$");
  if (scheme !== HASH_SCHEME || iterations === undefined || saltHex === undefined) return null;
  return { iterations: Number(iterations), saltHex };
}

/**
 * PBKDF2-SHA-256 of a password in its NFC form, as `scheme$iterations$salt$hash`. About 0.1 s on
 * another thread: call it from actions, never from mutations.
 */
export async function derivePassword(
  password: string,
  parameters: PasswordParameters,
): Promise<string> {
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(password.normalize("NFC")),
    "PBKDF2",
    false,
    ["deriveBits"],
  );
  const { iterations, saltHex } = parameters;
  const bits = await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt: fromHex(saltHex), iterations },
    key,
    HASH_BITS,
  );
  return `${HASH_SCHEME}$${iterations}$${saltHex}$${toHex(new Uint8Array(bits))}`;
}
