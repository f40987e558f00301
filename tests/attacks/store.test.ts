/**
 * Attacks on the cost of sign-in and on stored data: the work done for a known and an unknown e-mail, a
 * flood of sign-ins, a copied data folder, comparisons that could be timed.
 *
 * Work is counted here, not timed; `signInLoad.ts` measures times.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { hmacHex, isEqualConstantTime } from "../../convex/model/crypto";
import {
  HASHES_AT_ONCE_MAX,
  HASHES_WAITING_MAX,
  PASSWORD_HASH_ITERATIONS,
} from "../../convex/shared/limits";
import { DEMO_PASSWORD } from "../e2e/support/people";
import { DEMO, DEMO_CODES, enter, openBank, outcomeOf, type Bank, type Visitor } from "./bank";
import { call, documentsOf, outcomeIn, post } from "./wireCalls";

const TIMEOUT_MS = 300_000;

let bank: Bank;
let maya: Visitor;
/** Some that are hashed, some that are queued, and 40 that are refused. */
const STORM = HASHES_AT_ONCE_MAX + HASHES_WAITING_MAX + 40;

const dataDir = mkdtempSync(path.join(os.tmpdir(), "attacked-store-"));

beforeAll(async () => {
  // New data: its log has everything since the first document.
  bank = await openBank({}, { trustedProxy: "127.0.0.1" }, dataDir);
  maya = await enter(bank, DEMO.maya);
}, TIMEOUT_MS);

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(async () => {
  await bank.close();
  rmSync(dataDir, { recursive: true });
});

async function signIn(email: string, password: string, address = "192.0.2.1"): Promise<string> {
  const args = { provider: "password", params: { flow: "signIn", email, password } };
  const from = { "x-forwarded-for": address };
  return outcomeIn(await post(bank, "action", call("auth:signIn", args), from));
}

/**
 * Records every password hash from now on: its iterations, and the number of threads, each of which
 * computes one hash at a time and does nothing else.
 */
function watchHashes(): { rounds: () => number[]; threads: () => number } {
  const { mock } = vi.spyOn(Worker.prototype, "postMessage");
  return {
    rounds: () => mock.calls.map(([job]) => (job as { readonly iterations: number }).iterations),
    threads: () => new Set(mock.contexts).size,
  };
}

test("TH18 a known and an unknown e-mail each cost one hash with the same iterations", async () => {
  for (const email of [DEMO.rui, "nobody@demo.example", DEMO.admin, "x@y.z"]) {
    const { rounds } = watchHashes();
    expect(await signIn(email, "wrong guess")).toBe("INVALID_CREDENTIALS");
    expect([email, rounds()]).toEqual([email, [PASSWORD_HASH_ITERATIONS]]);
    vi.restoreAllMocks();
  }
  // A sign-up with a known e-mail hashes nothing, because the password is not checked.
  const { rounds } = watchHashes();
  const params = { flow: "signUp", email: DEMO.maya, password: DEMO_PASSWORD };
  await post(bank, "action", call("auth:signIn", { provider: "password", params }));
  expect(rounds()).toEqual([]);
});

test(
  "TH59 a flood of sign-ins hashes two at a time, queues a limited number, and keeps nobody else from signing in",
  async () => {
    const { rounds, threads } = watchHashes();
    const outcomes: string[] = [];
    // One site's lines, each with its own share of tries.
    const storm = Array.from({ length: STORM }, async (_, line) => {
      const address = `2001:db8:59:${line.toString(16)}::1`;
      outcomes.push(await signIn(`storm${line}@demo.example`, "wrong guess", address));
    });
    expect(await outcomeOf(maya.http.query(api.accounts.listMine, {}))).toBe("ok");
    // No more of them can wait.
    await vi.waitFor(() => expect(outcomes).toContain("RATE_LIMITED"), { timeout: TIMEOUT_MS });
    const outcome = await signIn(DEMO.omar, DEMO_PASSWORD, "192.0.2.59");
    const hashed = () => outcomes.filter((one) => one === "INVALID_CREDENTIALS");
    const hashedBefore = hashed().length;
    await Promise.all(storm);
    expect(outcome).toBe("ok");
    // Nor did it wait for all of them.
    expect(hashedBefore).toBeLessThan(HASHES_WAITING_MAX / 2);
    expect([...new Set(outcomes)].sort()).toEqual(["INVALID_CREDENTIALS", "RATE_LIMITED"]);
    expect(hashed().length + 1).toBe(rounds().length);
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

/** Timestamps and ids may contain any six digits, so a code counts only as a separate word. */
function containsSecret(text: string, secret: string): boolean {
  if (!/^\d+$/.test(secret)) return text.includes(secret);
  return new RegExp(`(?<![\\w.])${secret}(?!\\w)`).test(text);
}

test("TH60 a copied database contains no code, no password, no address and no key", async () => {
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
    return secrets
      .filter((secret) => containsSecret(text, secret))
      .map((secret) => `${file}: ${secret}`);
  });
  expect(found).toEqual([]);
  // The stored form of a code is useless without the key, which is stored elsewhere.
  const stored = documentsOf(bank, "otpCodes").map(({ mac }) => mac);
  expect(stored).toContain(hmacHex(keys.OTP_HMAC_KEY ?? "", `otp:${DEMO_CODES[0]}`));
  expect(stored).not.toContain(hmacHex("another key", `otp:${DEMO_CODES[0]}`));
});

test("TH61 codes are looked up by a keyed hash, and hashes are compared in constant time", async () => {
  // The keyed hashes of similar codes share no prefix, so the time of a look-up reveals no digit.
  const key = "k".repeat(32);
  const right = hmacHex(key, "otp:204816");
  for (const near of ["204817", "204810", "304816", "20481"]) {
    const other = hmacHex(key, `otp:${near}`);
    const shared = [...other].findIndex((digit, at) => digit !== right[at]);
    expect(shared).toBeLessThan(8);
  }
  // Every character is compared once, wherever the first difference is.
  const comparisonsOf = (left: string) => {
    const spy = vi.spyOn(String.prototype, "charCodeAt");
    isEqualConstantTime(left, "b".repeat(64));
    const { length } = spy.mock.calls;
    spy.mockRestore();
    return length;
  };
  const texts = ["b".repeat(64), `a${"b".repeat(63)}`, `${"b".repeat(63)}a`, "a".repeat(64)];
  expect(new Set(texts.map(comparisonsOf)).size).toBe(1);
  expect([isEqualConstantTime("a", "a"), isEqualConstantTime("a", "ab")]).toEqual([true, false]);
  expect([isEqualConstantTime("", "a"), isEqualConstantTime("a", "")]).toEqual([false, false]);
});
