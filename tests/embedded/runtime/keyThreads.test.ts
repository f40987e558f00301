/** Threads that derive keys and end, or cannot be made: whoever signs in next is served all the same. */
import { webcrypto } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import threads, { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deriveBitsInThread, noteImportedKey } from "../../../embedded/runtime/keyDerivation";

const made: Worker[] = [];
let isRefused = false;

class WatchedWorker extends Worker {
  constructor(...args: ConstructorParameters<typeof Worker>) {
    // What Node throws when the system refuses a thread.
    if (isRefused) throw new Error("ERR_WORKER_INIT_FAILED");
    super(...args);
    made.push(this);
  }
}

beforeAll(() => {
  vi.spyOn(threads, "Worker", "get").mockReturnValue(WatchedWorker);
  syncBuiltinESMExports();
});

afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const usages: "deriveBits"[] = ["deriveBits"];
const ARGS = ["raw", new Uint8Array([1]), "PBKDF2", false, usages] as const;
const key = await noteImportedKey(webcrypto.subtle.importKey(...ARGS), ARGS);

const derive = (iterations = 1): Promise<number | undefined> => {
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(8), iterations };
  return Promise.resolve(deriveBitsInThread([algorithm, key, 256])).then(
    (bits) => bits?.byteLength,
  );
};

test("a thread that the system refuses fails those who wait, and is made for the next", async () => {
  isRefused = true;
  await expect(derive()).rejects.toThrow("ERR_WORKER_INIT_FAILED");
  await expect(Promise.all([derive(), derive()])).rejects.toThrow("ERR_WORKER_INIT_FAILED");
  isRefused = false;
  expect(await derive()).toBe(32);
  expect(made).toHaveLength(1);
});

test("a thread that ends, idle or with a job, is replaced", async () => {
  await made.at(-1)?.terminate();
  expect(await derive()).toBe(32);
  const job = derive(100_000);
  const ending = made.at(-1)?.terminate();
  await expect(job).rejects.toThrow("The thread that derives keys ended");
  await ending;
  expect(await derive()).toBe(32);
});
