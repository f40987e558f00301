/** The embedded backend with the unmodified official clients: the behaviour that Convex programmers rely on. */
import { ConvexError } from "convex/values";
import { ConvexReactClient } from "convex/react";
import { WebSocket } from "ws";
import { describe, expect, onTestFinished, test } from "vitest";
import { chat } from "../embedded/fixtures/chatApi";
import { newClient, newHttpClient, startTestServer } from "../embedded/server/testServer";

/** Collects values of a subscription and waits for one that matches. */
function collect<T>() {
  const values: T[] = [];
  let check = (): void => undefined;
  return {
    values,
    push: (value: T): void => {
      values.push(value);
      check();
    },
    until: (isWanted: (value: T) => boolean): Promise<T> =>
      new Promise((resolve) => {
        check = () => {
          const found = values.find(isWanted);
          if (found !== undefined) resolve(found);
        };
        check();
      }),
  };
}

describe("ConvexClient", () => {
  test("sees its own and other clients' writes in a live query", async () => {
    const server = await startTestServer();
    const [reader, writer] = [newClient(server), newClient(server)];
    const seen = collect<string[]>();
    reader.onUpdate(chat.list, { channel: "a" }, seen.push);
    await seen.until((list) => list.length === 0);
    await writer.mutation(chat.send, { channel: "a", body: "one" });
    await seen.until((list) => list.length === 1);
    await reader.mutation(chat.send, { channel: "a", body: "two" });
    expect(await seen.until((list) => list.length === 2)).toEqual(["one", "two"]);
  });

  test("is not updated by writes outside of its query's read set", async () => {
    const server = await startTestServer();
    const [reader, writer] = [newClient(server), newClient(server)];
    const seen = collect<string[]>();
    reader.onUpdate(chat.list, { channel: "a" }, seen.push);
    await seen.until((list) => list.length === 0);
    await writer.mutation(chat.send, { channel: "b", body: "elsewhere" });
    await writer.mutation(chat.send, { channel: "a", body: "here" });
    await seen.until((list) => list.length === 1);
    expect(seen.values).toEqual([[], ["here"]]);
  });

  test("resolves a mutation with its value once its own queries show it", async () => {
    const server = await startTestServer();
    const client = newClient(server);
    const seen = collect<bigint>();
    client.onUpdate(chat.counter, { name: "n" }, seen.push);
    await seen.until((value) => value === 0n);
    expect(await client.mutation(chat.increment, { name: "n" })).toBe(1n);
    expect(seen.values.at(-1)).toBe(1n);
  });

  test("shows an optimistic update until the real result replaces it, without flicker", async () => {
    const server = await startTestServer();
    const client = newClient(server);
    const seen = collect<string[]>();
    client.onUpdate(chat.list, { channel: "a" }, seen.push);
    await seen.until((list) => list.length === 0);
    await client.mutation(
      chat.send,
      { channel: "a", body: "real" },
      {
        optimisticUpdate: (store) => {
          store.setQuery(chat.list, { channel: "a" }, ["optimistic"]);
        },
      },
    );
    expect(seen.values).toEqual([[], ["optimistic"], ["real"]]);
  });

  test("carries the data of a ConvexError from queries and mutations and writes nothing", async () => {
    const server = await startTestServer();
    const client = newClient(server);
    const error = await client.mutation(chat.refuse, {}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConvexError);
    expect((error as ConvexError<{ amount: bigint }>).data).toEqual({
      code: "REFUSED",
      amount: 5n,
    });
    const failed = await client.query(chat.refuseQuery, {}).catch((thrown: unknown) => thrown);
    expect((failed as ConvexError<{ amount: bigint }>).data).toEqual({
      code: "REFUSED",
      amount: 5n,
    });
    expect(await client.query(chat.list, { channel: "refused" })).toEqual([]);
  });

  test("rolls back a failed nested mutation and keeps the caller's writes", async () => {
    const server = await startTestServer();
    const client = newClient(server);
    expect(await client.mutation(chat.nested, { channel: "n" })).toEqual({
      caught: "child failed",
      seen: ["kept"],
    });
  });

  test("runs actions that read and write in transactions of their own", async () => {
    const server = await startTestServer();
    const client = newClient(server);
    const result = await client.action(chat.orchestrate, { name: "x" });
    expect(result.first).toBe(1n);
    expect(result.after).toBe(1n);
    expect(result.failure).toContain("Uncaught TypeError: secret detail");
  });

  test("keeps mutations of one client in order", async () => {
    const server = await startTestServer();
    const client = newClient(server);
    const results = await Promise.all(
      Array.from({ length: 50 }, () => client.mutation(chat.increment, { name: "o" })),
    );
    expect(results).toEqual(Array.from({ length: 50 }, (_, i) => BigInt(i + 1)));
  });
});

describe("ConvexReactClient", () => {
  test("watches a query and gets its updates", async () => {
    const server = await startTestServer();
    const client = new ConvexReactClient(server.origin, {
      logger: false,
      webSocketConstructor: WebSocket as unknown as typeof globalThis.WebSocket,
    });
    onTestFinished(() => client.close());
    const watch = client.watchQuery(chat.list, { channel: "r" });
    const seen = collect<unknown>();
    onTestFinished(watch.onUpdate(() => seen.push(watch.localQueryResult())));
    await client.mutation(chat.send, { channel: "r", body: "hello" });
    await seen.until((list) => Array.isArray(list) && list.length === 1);
    expect(watch.localQueryResult()).toEqual(["hello"]);
  });
});

describe("ConvexHttpClient", () => {
  test("runs queries, mutations and actions", async () => {
    const server = await startTestServer();
    const http = newHttpClient(server);
    await http.mutation(chat.send, { channel: "h", body: "over http" });
    expect(await http.query(chat.list, { channel: "h" })).toEqual(["over http"]);
    expect(await http.action(chat.sha256, { text: "a" })).toBe(
      "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
    );
  });

  test("runs consistent queries at one timestamp", async () => {
    const server = await startTestServer();
    const http = newHttpClient(server);
    await http.mutation(chat.increment, { name: "c" });
    expect(await http.consistentQuery(chat.counter, { name: "c" })).toBe(1n);
  });

  test("reports missing, internal and wrongly addressed functions like the real backend", async () => {
    const server = await startTestServer();
    const http = newHttpClient(server);
    const texts = [
      "messages:nothing",
      "messages:insertThenFail",
      "messages:__proto__",
      "auth:toString",
      "../auth:store",
    ];
    for (const path of texts) {
      const call = http.query(path as unknown as typeof chat.list, { channel: "x" });
      const error = await call.catch(String);
      const expected = `Server Error\nCould not find public function for '${path}'.\n`;
      expect(String(error).endsWith(expected), String(error)).toBe(true);
    }
    for (const path of ["_system/cli/tables", "_system/cli/nothing"]) {
      const call = http.query(path as unknown as typeof chat.list, { channel: "x" });
      await expect(call).rejects.toThrow("You do not have permission to perform this operation");
    }
    const wrong = http.mutation(chat.list as unknown as typeof chat.send, { channel: "x" });
    await expect(wrong).rejects.toThrow(
      "Trying to execute messages.js:list as Mutation, but it is defined as Query.",
    );
  });

  test("validates arguments and results with the official wording", async () => {
    const server = await startTestServer();
    const http = newHttpClient(server);
    await expect(http.query(chat.list, { channel: 5 })).rejects.toThrow(
      "Server Error\nArgumentValidationError: Value does not match validator.",
    );
    await expect(http.query(chat.list, {})).rejects.toThrow(
      "Server Error\nArgumentValidationError: Object is missing the required field `channel`.",
    );
    await expect(http.query(chat.wrongReturn, {})).rejects.toThrow(
      "Server Error\nReturnsValidationError: ",
    );
    const asQuery = chat.increment as unknown as typeof chat.wrongReturn;
    await expect(http.query(asQuery, {})).rejects.toThrow("Server Error\nTrying to execute ");
  });

  test.each(["sdk", "native"] as const)(
    "an uncaught error is what a function throws, also one of a function it calls (%s)",
    async (context) => {
      const server = await startTestServer({ context });
      for (const isLater of [false, true]) {
        const call = newHttpClient(server).mutation(chat.callWrongly, { isLater });
        await expect(call).rejects.toThrow(
          "Server Error\nUncaught Error: ArgumentValidationError: Object is missing the required field `name`.",
        );
      }
    },
  );
});

describe("errors", () => {
  test.each(["sdk", "native"] as const)(
    "show message, frame and request id (%s)",
    async (context) => {
      const server = await startTestServer({ context });
      const error = await newHttpClient(server)
        .query(chat.crash, {})
        .catch((thrown: unknown) => String(thrown));
      expect(error).toMatch(/\[Request ID: [0-9a-f]{16}\] Server Error/);
      expect(error).toContain("Uncaught TypeError: secret detail");
      expect(error).toMatch(/at handler \(\.\.\/convex\/messages\.ts:\d+:\d+\)/);
    },
  );

  test("contain only a request id when redacted", async () => {
    const server = await startTestServer({ isRedacting: true });
    const error = await newHttpClient(server)
      .query(chat.crash, {})
      .catch((thrown: unknown) => String(thrown));
    expect(error).toMatch(/^Error: \[Request ID: [0-9a-f]{16}\] Server Error$/);
    expect(server.logLines.join("\n")).toContain("about to crash");
  });
});
