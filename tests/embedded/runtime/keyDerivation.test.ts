/** PBKDF2 in separate threads: the same bits as SubtleCrypto's for plain PBKDF2, at low priority. */
import { webcrypto } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import { Worker } from "node:worker_threads";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { deriveBitsInThread, noteImportedKey } from "../../../embedded/runtime/keyDerivation";

const { subtle } = webcrypto;

function importKey(password: Uint8Array, usages: ("deriveBits" | "deriveKey")[] = ["deriveBits"]) {
  const args = ["raw", password, "PBKDF2", false, usages] as const;
  return noteImportedKey(subtle.importKey(...args), args);
}

const bytes = fc.uint8Array({ maxLength: 80 });

test("derives what SubtleCrypto derives", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        password: bytes,
        salt: bytes,
        iterations: fc.integer({ min: 1, max: 50 }),
        hash: fc.constantFrom("SHA-1", "SHA-256", "SHA-384", "sha-512", { name: "SHA-256" }),
        byteCount: fc.integer({ min: 1, max: 100 }),
        isView: fc.boolean(),
      }),
      async ({ password, salt, iterations, hash, byteCount, isView }) => {
        const key = await importKey(password);
        const saltSource = isView ? new DataView(salt.slice().buffer) : salt.slice().buffer;
        const algorithm = { name: "PBKDF2", hash, salt: saltSource, iterations };
        const expected = await subtle.deriveBits(algorithm, key, byteCount * 8);
        const derived = await deriveBitsInThread([algorithm, key, byteCount * 8]);
        expect(Buffer.from(derived ?? new ArrayBuffer()).toString("hex")).toBe(
          Buffer.from(expected).toString("hex"),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test("keeps the password that was imported, whatever becomes of the caller's buffer", async () => {
  const password = new TextEncoder().encode("a password");
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(16), iterations: 3 };
  const key = await importKey(password.slice());
  const overwritten = password.slice();
  const importing = importKey(overwritten);
  overwritten.fill(0);
  expect(await deriveBitsInThread([algorithm, await importing, 256])).toEqual(
    await subtle.deriveBits(algorithm, key, 256),
  );
});

test("leaves to SubtleCrypto what it refuses or what is not PBKDF2 of a known key", async () => {
  const password = new Uint8Array([1, 2, 3]);
  const key = await importKey(password);
  const unknown = await subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  const notForBits = await importKey(password, ["deriveKey"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(8), iterations: 2 };
  const calls: unknown[][] = [
    [algorithm, unknown, 256],
    [algorithm, notForBits, 256],
    [{ ...algorithm, name: "HKDF" }, key, 256],
    [{ ...algorithm, hash: "MD5" }, key, 256],
    [{ ...algorithm, iterations: 0 }, key, 256],
    [{ ...algorithm, salt: "text" }, key, 256],
    [algorithm, key, 12],
    [algorithm, key, null],
    ["PBKDF2", key, 256],
    [algorithm, null, 256],
  ];
  for (const args of calls) expect(deriveBitsInThread(args)).toBeNull();
});

/** The niceness of this process's threads; a thread that ends meanwhile has none. */
function nicesOfThreads(): number[] {
  return readdirSync("/proc/self/task").flatMap((task) => {
    try {
      const stat = readFileSync(`/proc/self/task/${task}/stat`, "utf8");
      return [Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])];
    } catch {
      return [];
    }
  });
}

/**
 * True when a thread can lower its own priority here; not where priorities belong to processes or a sandbox
 * forbids it.
 */
async function canThreadsGiveWay(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const before = os.getPriority();
  const probe = new Worker(
    `const os = require("node:os");
    os.setPriority(Math.min(os.getPriority() + 1, 19));
    require("node:worker_threads").parentPort.postMessage("set");
    setInterval(() => undefined, 60_000);`,
    { eval: true },
  );
  const isSet = await new Promise<boolean>((resolve) => {
    probe.once("message", () => resolve(true));
    probe.once("error", () => resolve(false));
  });
  const isOwn = isSet && os.getPriority() === before;
  const isSeen = Math.max(...nicesOfThreads()) > before;
  await probe.terminate();
  return isOwn && isSeen;
}

test("gives way to the event loop where a thread can, and derives everywhere", async () => {
  const before = os.getPriority();
  const key = await importKey(new Uint8Array([1]));
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(8), iterations: 1 };
  expect(await deriveBitsInThread([algorithm, key, 256])).toHaveProperty("byteLength", 32);
  expect(os.getPriority()).toBe(before);
  if (await canThreadsGiveWay()) expect(Math.max(...nicesOfThreads())).toBeGreaterThan(before);
});
