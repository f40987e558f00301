/** How functions run: isolation, nesting, scheduling, parking, conflicts, access to system tables. */
import { runInNewContext } from "node:vm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ConflictError } from "../../../embedded/db/errors";
import { MUTATION_ATTEMPTS_MAX, MutationLane } from "../../../embedded/runtime/mutations";
import { LmdbStore } from "../../../embedded/storage/lmdbStore";
import type { StoreSnapshot } from "../../../embedded/storage/orderedStore";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { newClient, newHttpClient, startTestServer } from "../server/testServer";
import { temporaryDir } from "../../support/temporaryDir";

/** Store snapshots taken from now on and not released: each keeps the store's file growing. */
function heldSnapshots(): ReadonlySet<StoreSnapshot> {
  const held = new Set<StoreSnapshot>();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called on each store below
  const { snapshot } = LmdbStore.prototype;
  const spy = vi.spyOn(LmdbStore.prototype, "snapshot").mockImplementation(function (
    this: LmdbStore,
  ) {
    const taken = snapshot.call(this);
    held.add(taken);
    const release = taken.release.bind(taken);
    taken.release = () => {
      held.delete(taken);
      release();
    };
    return taken;
  });
  onTestFinished(() => spy.mockRestore());
  return held;
}

describe("mutations", () => {
  test("see a clock that stands still and no network", async () => {
    const http = newHttpClient(await startTestServer());
    expect((await http.mutation(chat.clock, {})).isFrozen).toBe(true);
    await expect(http.mutation(chat.tryFetch, {})).rejects.toThrow(
      "Can't use fetch() in queries and mutations.",
    );
  });

  test("can measure what they do, queries cannot", async () => {
    const http = newHttpClient(await startTestServer());
    expect(await http.query(chat.loopOfQuery, {})).toBe(0);
    const [own, nested] = await http.mutation(chat.loopOfMutation, {});
    expect(own).toBeGreaterThan(0);
    expect(nested).toBe(0);
  });

  test("that query the state they began with keep no snapshot of the store", async () => {
    const held = heldSnapshots();
    const server = await startTestServer({ dataDir: temporaryDir() });
    const http = newHttpClient(server);
    expect(await http.mutation(chat.staleList, { channel: "c" })).toEqual([]);
    expect(await http.mutation(chat.staleList, { channel: "c" })).toEqual(["own"]);
    await server.close();
    expect(held.size).toBe(0);
  });

  test("alone may query the state they began with: a query's result is shared by what it has read", async () => {
    const http = newHttpClient(await startTestServer());
    await expect(http.query(chat.staleWhoAmI, {})).rejects.toThrow("stale snapshot");
  });

  test("cannot write system tables, even around the SDK", async () => {
    const http = newHttpClient(await startTestServer());
    await expect(http.mutation(chat.writeSystemTable, {})).rejects.toThrow(
      "System tables can only be accessed with db.system.",
    );
    expect(await http.query(chat.jobs, {})).toEqual([]);
  });

  test("that wait for real work do not hold up others", async () => {
    const server = await startTestServer();
    const [slow, quick] = [newClient(server), newClient(server)];
    await Promise.all([slow, quick].map((client) => client.query(chat.jobs, {})));
    const order: string[] = [];
    // About a second of hashing, compared with a mutation that only uses the database.
    const waiting = slow
      .mutation(chat.slowIncrement, { name: "slow", iterations: 4_000_000 })
      .then(() => order.push("slow"));
    await quick.mutation(chat.increment, { name: "quick" }).then(() => order.push("quick"));
    await waiting;
    expect(order).toEqual(["quick", "slow"]);
  });

  test("that waited run again when what they read has changed: no update is lost", async () => {
    const server = await startTestServer();
    const clients = Array.from({ length: 4 }, () => newClient(server));
    await Promise.all(
      clients.flatMap((client) => [
        client.mutation(chat.slowIncrement, { name: "both", iterations: 2_000 }),
        client.mutation(chat.increment, { name: "both" }),
      ]),
    );
    expect(await newHttpClient(server).query(chat.counter, { name: "both" })).toBe(8n);
  });

  test("survive forced conflicts without losing or repeating an effect", async () => {
    const server = await startTestServer({ conflictProbability: 0.2 });
    const client = newClient(server);
    await Promise.all(
      Array.from({ length: 40 }, () => client.mutation(chat.increment, { name: "f" })),
    );
    expect(await newHttpClient(server).query(chat.counter, { name: "f" })).toBe(40n);
  });

  test("give up with the official name when every attempt conflicts", async () => {
    let attempts = 0;
    const running = new MutationLane().run("", async () => {
      attempts += 1;
      throw new ConflictError();
    });
    await expect(running).rejects.toThrow("OptimisticConcurrencyControlFailure");
    expect(attempts).toBe(MUTATION_ATTEMPTS_MAX);
  });
});

describe("the environment", () => {
  test("is the deployment's own, never the host's", async () => {
    const server = await startTestServer();
    expect(await newHttpClient(server).query(chat.environment, {})).toEqual({
      site: server.origin,
      given: "yes",
      path: null,
      hasBuffer: false,
    });
  });

  test("has nothing of the host's that the real one lacks", async () => {
    const http = newHttpClient(await startTestServer());
    const all = await http.query(chat.hostsOwn, {});
    const [lines, rest] = [all.slice(0, -6), all.slice(-6)];
    const times = ["time", "timeLog", "timeEnd"];
    const names = ["log", "info", "warn", "error", "debug", "trace", ...times];
    expect(lines.sort()).toEqual(names.sort());
    expect(rest).toEqual(Array.from(rest, () => "undefined"));
  });

  test("has no global that the official runtime does not set up beside the language's own", async () => {
    // npm-packages/udf-runtime of get-convex/convex-backend, August 2026.
    const official = [
      ...[
        "AbortController",
        "AbortSignal",
        "Blob",
        "Convex",
        "Crypto",
        "CryptoKey",
        "DOMException",
      ],
      ...["Event", "EventTarget", "File", "FormData", "Headers", "Performance", "PerformanceEntry"],
      ...["PerformanceMark", "PerformanceMeasure", "ReadableStream", "ReadableStreamBYOBReader"],
      ...["ReadableStreamDefaultReader", "Request", "Response", "SubtleCrypto", "TextDecoder"],
      ...["TextDecoderStream", "TextEncoder", "TextEncoderStream", "TransformStream", "URL"],
      ...["URLSearchParams", "WritableStream", "WritableStreamDefaultWriter", "atob", "btoa"],
      ...["clearInterval", "clearTimeout", "console", "crypto", "fetch", "performance", "process"],
      ...["queueMicrotask", "self", "setInterval", "setTimeout", "structuredClone"],
    ];
    const language = runInNewContext("Object.getOwnPropertyNames(globalThis)") as string[];
    const names = Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith("__"));
    const http = newHttpClient(await startTestServer());
    const seen = await http.query(chat.globalsAmong, { names });
    expect(seen.filter((name) => ![...official, ...language].includes(name))).toEqual([]);
  });
});

describe("scheduled functions", () => {
  test("run once their time has come and tell how it went", async () => {
    const server = await startTestServer();
    const http = newHttpClient(server);
    await http.mutation(chat.schedule, { name: "job", delayMs: 0 });
    const hasRun = async () => expect(await http.query(chat.jobs, {})).toEqual(["success"]);
    await vi.waitFor(hasRun, PATIENCE);
    expect(await http.query(chat.counter, { name: "job" })).toBe(1n);
  });

  test("are pending until then", async () => {
    const http = newHttpClient(await startTestServer());
    await http.mutation(chat.schedule, { name: "later", delayMs: 3_600_000 });
    expect(await http.query(chat.jobs, {})).toEqual(["pending"]);
    expect(await http.query(chat.jobNames, {})).toEqual(["messages.js:increment"]);
    expect(await http.query(chat.counter, { name: "later" })).toBe(0n);
  });
});
