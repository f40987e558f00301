/** Threads that derive keys and end, or cannot be made: whoever signs in next is served all the same. */
import type { Worker } from "node:worker_threads";
import { beforeEach, expect, test } from "vitest";
import { KeyThreads, startWorker } from "../../../embedded/runtime/keyThreads";

let made: Worker[];
let isRefused: boolean;
let threads: KeyThreads;

beforeEach(() => {
  made = [];
  isRefused = false;
  threads = new KeyThreads(() => {
    // What Node throws when the system refuses a thread.
    if (isRefused) throw new Error("ERR_WORKER_INIT_FAILED");
    const worker = startWorker();
    made.push(worker);
    return worker;
  });
});

const derive = async (iterations = 1): Promise<number> => {
  const [password, salt] = [new Uint8Array([1]), new Uint8Array(8)];
  const bits = await threads.derive({
    password,
    salt,
    iterations,
    byteCount: 32,
    digest: "sha256",
  });
  return bits.byteLength;
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
  expect(await derive()).toBe(32);
  await made.at(-1)?.terminate();
  expect(await derive()).toBe(32);
  const job = derive(100_000);
  const ending = made.at(-1)?.terminate();
  await expect(job).rejects.toThrow("The thread that derives keys ended");
  await ending;
  expect(await derive()).toBe(32);
});
