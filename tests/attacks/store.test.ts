/**
 * Attacks on what sign-in costs and on what lies on the disk: the work done for a known and an unknown
 * e-mail, a storm of sign-ins, a copied data folder, comparisons that could be timed.
 *
 * Work is counted here, not timed; `signInLoad.ts` measures.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { hmacHex, isEqualConstantTime } from "../../convex/model/crypto";
import { PASSWORD_HASH_ITERATIONS } from "../../convex/shared/limits";
import { DEMO_PASSWORD } from "../e2e/support/people";
import { DEMO, DEMO_CODES, enter, openBank, outcomeOf, type Bank, type Visitor } from "./bank";
import { call, documentsOf, outcomeIn, post } from "./wireCalls";

const TIMEOUT_MS = 300_000;

let bank: Bank;
let maya: Visitor;
/** Two that are hashed, 64 that wait, and 40 too many. */
const STORM = 2 + 64 + 40;

beforeAll(async () => {
  bank = await openBank();
  maya = await enter(bank, DEMO.maya);
}, TIMEOUT_MS);

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bank.close());

async function signIn(email: string, password: string): Promise<string> {
  const args = { provider: "password", params: { flow: "signIn", email, password } };
  return outcomeIn(await post(bank, "action", call("auth:signIn", args)));
}

/**
 * Every password hash computed from now on: its rounds; and on how many threads, each of which computes
 * one at a time and nothing else.
 */
function watchHashes(): { rounds: () => number[]; threads: () => number } {
  const { mock } = vi.spyOn(Worker.prototype, "postMessage");
  return {
    rounds: () => mock.calls.map(([job]) => (job as { readonly iterations: number }).iterations),
    threads: () => new Set(mock.contexts).size,
  };
}

test("TH18 a known and an unknown e-mail cost one hash of the same rounds each", async () => {
  for (const email of [DEMO.rui, "nobody@demo.example", DEMO.admin, "x@y.z"]) {
    const { rounds } = watchHashes();
    expect(await signIn(email, "wrong guess")).toBe("INVALID_CREDENTIALS");
    expect([email, rounds()]).toEqual([email, [PASSWORD_HASH_ITERATIONS]]);
    vi.restoreAllMocks();
  }
  // A sign-up with a known e-mail hashes nothing: the password is not looked at.
  const { rounds } = watchHashes();
  const params = { flow: "signUp", email: DEMO.maya, password: DEMO_PASSWORD };
  await post(bank, "action", call("auth:signIn", { provider: "password", params }));
  expect(rounds()).toEqual([]);
});

test(
  "TH59 a storm of sign-ins hashes two at once, keeps few waiting and refuses the rest politely",
  async () => {
    const { rounds, threads } = watchHashes();
    const storm = Array.from({ length: STORM }, (_, index) =>
      signIn(`storm${index}@demo.example`, "wrong guess"),
    );
    expect(await outcomeOf(maya.http.query(api.accounts.listMine, {}))).toBe("ok");
    const outcomes = await Promise.all(storm);
    expect([...new Set(outcomes)].sort()).toEqual(["INVALID_CREDENTIALS", "RATE_LIMITED"]);
    const hashed = outcomes.filter((outcome) => outcome === "INVALID_CREDENTIALS");
    expect(hashed).toHaveLength(rounds().length);
    expect(threads()).toBeLessThanOrEqual(2);
  },
  TIMEOUT_MS,
);

/** Every file below a folder. */
function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Six digits are in many a time or id by chance: a code is kept only where nothing goes on with them. */
function isIn(text: string, secret: string): boolean {
  if (!/^\d+$/.test(secret)) return text.includes(secret);
  return new RegExp(`(?<![\\w.])${secret}(?!\\w)`).test(text);
}

test("TH60 a copied database holds no code, no password, no address and no key", async () => {
  await signIn(DEMO.maya, "wrong guess of TH60");
  const keysFile = path.join(bank.dataDir, "keys.json");
  expect(statSync(keysFile).mode & 0o077).toBe(0);
  const keys = JSON.parse(readFileSync(keysFile, "utf8")) as Record<string, string>;
  const secrets = [
    ...DEMO_CODES,
    DEMO_PASSWORD,
    "wrong guess of TH60",
    "127.0.0.1:",
    ...Object.values(keys).filter((value) => !value.startsWith("{")),
  ];
  const files = filesBelow(path.join(bank.dataDir, "db"));
  expect(files.length).toBeGreaterThan(1);
  const found = files.flatMap((file) => {
    const text = readFileSync(file, "latin1");
    return secrets.filter((secret) => isIn(text, secret)).map((secret) => `${file}: ${secret}`);
  });
  expect(found).toEqual([]);
  // What is stored of a code opens nothing without the key that lies elsewhere.
  const stored = documentsOf(bank, "otpCodes").map(({ mac }) => mac);
  expect(stored).toContain(hmacHex(keys.OTP_HMAC_KEY ?? "", `otp:${DEMO_CODES[0]}`));
  expect(stored).not.toContain(hmacHex("another key", `otp:${DEMO_CODES[0]}`));
});

test("TH61 codes are found by a keyed hash and hashes compared to their end", async () => {
  // Neighbours of a right code share nothing with it under the key, so a look-up tells no digit.
  const key = "k".repeat(32);
  const right = hmacHex(key, "otp:204816");
  for (const near of ["204817", "204810", "304816", "20481"]) {
    const other = hmacHex(key, `otp:${near}`);
    const shared = [...other].findIndex((digit, at) => digit !== right[at]);
    expect(shared).toBeLessThan(8);
  }
  // One look at every character, wherever the first difference stands.
  const looksAt = (left: string) => {
    const look = vi.spyOn(String.prototype, "charCodeAt");
    isEqualConstantTime(left, "b".repeat(64));
    const { length } = look.mock.calls;
    look.mockRestore();
    return length;
  };
  const texts = ["b".repeat(64), `a${"b".repeat(63)}`, `${"b".repeat(63)}a`, "a".repeat(64)];
  expect(new Set(texts.map(looksAt)).size).toBe(1);
  expect([isEqualConstantTime("a", "a"), isEqualConstantTime("a", "ab")]).toEqual([true, false]);
  expect([isEqualConstantTime("", "a"), isEqualConstantTime("a", "")]).toEqual([false, false]);
});
