/**
 * A storm of sign-ins: two passwords are hashed at once, 64 wait, further ones are refused, senders take turns, and
 * nobody is forgotten.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hashInTurn } from "../../convex/model/hashQueue";
import { HASHES_AT_ONCE_MAX, HASHES_WAITING_MAX } from "../../convex/shared/limits";
import { PATIENCE } from "../support/patience";
import { enter, stubAuthKeys } from "./authKeys";
import { newBackend, refusalOf, type Backend } from "./support";

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
  const untilBegun = (count: number) =>
    vi.waitFor(() => expect(held).toHaveLength(count), PATIENCE);
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
    vi.waitFor(async () => expect(await tryOne(most)).toBe("RATE_LIMITED"), PATIENCE),
  );
  expect(held).toHaveLength(few + most);
  expect(outcomes).toEqual([
    ...Array<string>(most / 2).fill("Error: no memory"),
    ...Array<string>(most / 2).fill("INVALID_CREDENTIALS"),
  ]);
});

/** Holds every hash, and lists the passwords of those that have begun. */
function holdAndList() {
  const hold = holdHashes();
  const begun: string[] = [];
  vi.spyOn(crypto.subtle, "importKey").mockImplementation(async (...[, text]: unknown[]) => {
    begun.push(new TextDecoder().decode(text as Uint8Array));
    return {} as CryptoKey;
  });
  /** Ends hashes, one after the other, until so many have ended. */
  async function endAll(count: number): Promise<void> {
    for (let ended = 0; ended < count; ended++) {
      await vi.waitFor(() => expect(hold.held.length).toBeGreaterThan(ended), PATIENCE);
      hold.release();
    }
  }
  return { begun, endAll };
}

test("those of one sender that wait are let in as they came", async () => {
  const { begun, endAll } = holdAndList();
  const passwords = ["first", "second", "third", "fourth", "fifth"];
  const hashes = passwords.map((password) => hashInTurn(password, "one").catch(String));
  await endAll(passwords.length);
  await Promise.all(hashes);
  expect(begun).toEqual(passwords);
});

test("senders take turns, however many of one wait", async () => {
  const { begun, endAll } = holdAndList();
  const sent = ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1"];
  const hashes = sent.map((password) => hashInTurn(password, password.charAt(0)).catch(String));
  await endAll(sent.length);
  await Promise.all(hashes);
  expect(begun).toEqual(["a1", "a2", "a3", "b1", "c1", "a4", "b2", "a5"]);
});

test("where no more may wait, the sender with most loses its newest, unless the others have as many", async () => {
  const { begun, endAll } = holdAndList();
  const refused: string[] = [];
  const ask = (password: string, sender: string) =>
    hashInTurn(password, sender).catch(
      (error: unknown) => String(error).includes("no memory") || refused.push(password),
    );
  const ofOne = HASHES_AT_ONCE_MAX + HASHES_WAITING_MAX;
  const flood = Array.from({ length: ofOne }, (_, n) => ask(`a${n}`, "a"));
  const others = ["b", "c", "b"].map((sender, n) => ask(`${sender}${n}`, sender));
  const late = ask("a-late", "a");
  await vi.waitFor(() => expect(refused).toHaveLength(4), PATIENCE);
  expect(refused.sort()).toEqual(["a-late", ...[1, 2, 3].map((n) => `a${ofOne - n}`)].sort());
  await endAll(ofOne);
  await Promise.all([...flood, ...others, late]);
  expect(begun.slice(0, 6)).toEqual(["a0", "a1", "a2", "b0", "c1", "a3"]);
  expect(begun).toHaveLength(ofOne);
});
