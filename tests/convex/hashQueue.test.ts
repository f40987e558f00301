/** A storm of sign-ins: two passwords are hashed at once, 64 wait, further ones are refused, and nobody is forgotten. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hashInTurn } from "../../convex/model/hashQueue";
import { HASHES_AT_ONCE_MAX, HASHES_WAITING_MAX } from "../../convex/shared/limits";
import { enter, stubAuthKeys } from "./authKeys";
import { newBackend, refusalOf, type Backend } from "./support";

/** A busy machine takes its time. */
const PATIENT = { timeout: 10_000 };

let t: Backend;

beforeEach(async () => {
  t = newBackend();
  await stubAuthKeys();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Holds every hash; `release` ends the oldest one that is held. */
function holdHashes() {
  const held: (() => void)[] = [];
  vi.spyOn(crypto.subtle, "deriveBits").mockImplementation(
    () =>
      new Promise((resolve, reject) => {
        // Every other one fails, which must free its place, too.
        const end =
          held.length % 2 === 0
            ? () => resolve(new ArrayBuffer(32))
            : () => reject(new Error("no memory"));
        held.push(end);
      }),
  );
  let released = 0;
  return { held, release: () => held[released++]?.() };
}

test("hashes run two at a time, the queue has an end, and each that leaves lets in the next", async () => {
  const { held, release } = holdHashes();
  const tryOne = (n: number) =>
    refusalOf(enter(t, "signIn", `nobody-${n}@bank.example`, "a wrong one")).catch(String);
  const untilBegun = (count: number) => vi.waitFor(() => expect(held).toHaveLength(count), PATIENT);
  /** Tries that all end, `begun` having begun before. */
  async function storm(count: number, begun: number, meanwhile: () => Promise<void>) {
    const tries = Array.from({ length: count }, (_, n) => tryOne(n));
    await untilBegun(begun + HASHES_AT_ONCE_MAX);
    await meanwhile();
    for (let ended = 1; ended <= count; ended++) {
      release();
      await untilBegun(begun + Math.min(count, ended + HASHES_AT_ONCE_MAX));
    }
    return (await Promise.all(tries)).sort();
  }
  const few = HASHES_AT_ONCE_MAX + 2;
  const most = HASHES_AT_ONCE_MAX + HASHES_WAITING_MAX;
  await storm(few, 0, async () => undefined);
  // Neither has a place been lost, nor is there a third one.
  const outcomes = await storm(most, few, () =>
    vi.waitFor(async () => expect(await tryOne(most)).toBe("RATE_LIMITED"), PATIENT),
  );
  expect(held).toHaveLength(few + most);
  expect(outcomes).toEqual([
    ...Array<string>(most / 2).fill("Error: no memory"),
    ...Array<string>(most / 2).fill("INVALID_CREDENTIALS"),
  ]);
});

test("those that wait are let in as they came", async () => {
  const { held, release } = holdHashes();
  const begun: string[] = [];
  vi.spyOn(crypto.subtle, "importKey").mockImplementation(async (...[, text]: unknown[]) => {
    begun.push(new TextDecoder().decode(text as Uint8Array));
    return {} as CryptoKey;
  });
  const passwords = ["first", "second", "third", "fourth", "fifth"];
  const hashes = passwords.map((password) => hashInTurn(password).catch(String));
  for (const ended of passwords.keys()) {
    await vi.waitFor(() => expect(held.length).toBeGreaterThan(ended), PATIENT);
    release();
  }
  await Promise.all(hashes);
  expect(begun).toEqual(passwords);
});
