/**
 * The sync protocol frame by frame: its rules, its errors, and mutations applied exactly once.
 *
 * Long because everything that ends a connection is tested in one place.
 */
import { randomUUID } from "node:crypto";
import { convexToJson } from "convex/values";
import { describe, expect, test } from "vitest";
import { QUERIES_PER_CONNECTION_MAX } from "../../../embedded/sync/session";
import { chat } from "../fixtures/chatApi";
import { ADMIN_KEY, newHttpClient, startTestServer } from "../server/testServer";
import { WireClient, type Frame } from "./wire";

const ADD_LIST = (queryId: number, channel = "a") => ({
  type: "Add",
  queryId,
  udfPath: "messages:list",
  args: [{ channel }],
});

/** Signing in gets its own Transition when the next message takes a moment longer. */
const showsResults = ({ type, modifications }: Frame): boolean =>
  type === "Transition" && (modifications as unknown[]).length > 0;
const adminSignIn = (value: string) =>
  ({ type: "Authenticate", tokenType: "Admin", value, baseVersion: 0 }) as const;

/** Only an administrator may run this. */
const WATCH_TABLES = {
  type: "ModifyQuerySet",
  baseVersion: 0,
  newVersion: 1,
  modifications: [
    { type: "Add", queryId: 0, udfPath: "_system/cli/tables", args: [{ paginationOpts: {} }] },
  ],
};

interface Version {
  querySet: number;
  identity: number;
  ts: string;
}

const decodeTs = (text: string): bigint => Buffer.from(text, "base64").readBigUInt64LE();

describe("transitions", () => {
  test("start where the one before ended, and carry each added query's result", async () => {
    const { origin } = await startTestServer();
    const client = await WireClient.connect(origin);
    client.send({
      type: "ModifyQuerySet",
      baseVersion: 0,
      newVersion: 1,
      modifications: [ADD_LIST(0), ADD_LIST(1, "b")],
    });
    const first = await client.untilType("Transition");
    expect(first.startVersion).toEqual({ querySet: 0, identity: 0, ts: "AAAAAAAAAAA=" });
    expect((first.modifications as Frame[]).map((each) => [each.type, each.queryId])).toEqual([
      ["QueryUpdated", 0],
      ["QueryUpdated", 1],
    ]);
    client.mutate(0, "messages:send", { channel: "a", body: "x" });
    const second = await client.until((frame) => frame.type === "Transition" && frame !== first);
    expect(second.startVersion).toEqual(first.endVersion);
    expect((second.modifications as Frame[]).map((each) => each.queryId)).toEqual([0]);
  });

  test("follow the mutation's answer, at or after its timestamp, even when nothing changed", async () => {
    const { origin } = await startTestServer();
    const client = await WireClient.connect(origin);
    client.mutate(0, "messages:send", { channel: "nobody watches", body: "x" });
    const transition = await client.untilType("Transition");
    const answer = client.frames.find((frame) => frame.type === "MutationResponse");
    expect(client.frames.indexOf(answer!)).toBeLessThan(client.frames.indexOf(transition));
    const end = transition.endVersion as Version;
    expect(decodeTs(end.ts)).toBeGreaterThanOrEqual(decodeTs(answer?.ts as string));
    expect(transition.modifications).toEqual([]);
  });

  test("go on from each other while a query takes its time and others change", async () => {
    const server = await startTestServer();
    const client = await WireClient.connect(server.origin);
    const slow = { channel: "a", iterations: 200_000 };
    client.send({
      type: "ModifyQuerySet",
      baseVersion: 0,
      newVersion: 1,
      modifications: [
        { type: "Add", queryId: 0, udfPath: "messages:slowList", args: [slow] },
        ADD_LIST(1),
      ],
    });
    const bodies = ["1", "2", "3", "4", "5"];
    const http = newHttpClient(server);
    for (const body of bodies) await http.mutation(chat.send, { channel: "a", body });
    const isLast = (frame: Frame) =>
      [0, 1].every((queryId) =>
        JSON.stringify(frame.modifications ?? "").includes(
          `{"queryId":${queryId},"type":"QueryUpdated","value":${JSON.stringify(bodies)}`,
        ),
      );
    await client.until(isLast);
    const transitions = client.frames.filter((frame) => frame.type === "Transition");
    for (const [at, next] of transitions.slice(1).entries()) {
      expect(next.startVersion).toEqual(transitions[at]?.endVersion);
    }
  });

  test("tell of removed queries", async () => {
    const { origin } = await startTestServer();
    const client = await WireClient.connect(origin);
    const modify = (baseVersion: number, modifications: unknown[]) =>
      client.send({
        type: "ModifyQuerySet",
        baseVersion,
        newVersion: baseVersion + 1,
        modifications,
      });
    modify(0, [ADD_LIST(7)]);
    await client.untilType("Transition");
    modify(1, [{ type: "Remove", queryId: 7 }]);
    const removal = await client.until((frame) =>
      JSON.stringify(frame.modifications ?? "").includes("QueryRemoved"),
    );
    expect((removal.endVersion as Version).querySet).toBe(2);
  });

  test("keep a page's end: rows inserted inside show up, the page does not shift", async () => {
    const server = await startTestServer();
    const http = newHttpClient(server);
    for (const body of ["1", "2", "3"]) await http.mutation(chat.send, { channel: "p", body });
    const client = await WireClient.connect(server.origin);
    const paginationOpts = { numItems: 2, cursor: null, id: 1 };
    client.send({
      type: "ModifyQuerySet",
      baseVersion: 0,
      newVersion: 1,
      modifications: [
        {
          type: "Add",
          queryId: 0,
          udfPath: "messages:page",
          args: [{ channel: "p", paginationOpts }],
        },
      ],
    });
    const first = await client.untilType("Transition");
    const [update] = first.modifications as {
      value: { page: { _id: string }[]; continueCursor: string };
      journal: string;
    }[];
    expect(update?.value.page).toHaveLength(2);
    expect(update?.journal).toBe(update?.value.continueCursor);
    await http.mutation(chat.remove, { id: update?.value.page[0]?._id ?? "" });
    const second = await client.until((frame) => frame.type === "Transition" && frame !== first);
    const [again] = second.modifications as { value: { page: unknown[] } }[];
    expect(again?.value.page).toHaveLength(1);
  });
});

test("an empty journal is none, for its client and for those that ask the same", async () => {
  const { origin } = await startTestServer();
  const args = [{ channel: "a", paginationOpts: { numItems: 5, cursor: null } }];
  for (const journal of [{ journal: "" }, {}]) {
    const client = await WireClient.connect(origin);
    const add = { type: "Add", queryId: 0, udfPath: "messages:page", args, ...journal };
    client.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [add] });
    const shown = await client.untilType("Transition");
    expect(shown.modifications).toMatchObject([{ type: "QueryUpdated" }]);
  }
});

describe("exactly once", () => {
  test("mutations of one connection run in order, also when one waits for real work", async () => {
    const wire = await WireClient.connect((await startTestServer()).origin);
    wire.mutate(0, "messages:slowIncrement", { name: "slow", iterations: 200_000 });
    wire.mutate(1, "messages:increment", { name: "quick" });
    await wire.until(({ requestId }) => requestId === 1);
    expect(wire.frames.map(({ requestId }) => requestId).filter(Number.isInteger)).toEqual([0, 1]);
  });

  test("a mutation re-sent on a new connection is answered, not applied again", async () => {
    const server = await startTestServer();
    const sessionId = randomUUID();
    const first = await WireClient.connect(server.origin, { sessionId });
    first.mutate(0, "messages:increment", { name: "once" });
    const answer = await first.untilType("MutationResponse");
    first.cut();
    const second = await WireClient.connect(server.origin, { sessionId });
    second.mutate(0, "messages:increment", { name: "once" });
    const again = await second.untilType("MutationResponse");
    expect(again.result).toEqual(answer.result);
    expect(await newHttpClient(server).query(chat.counter, { name: "once" })).toBe(1n);
  });

  test.each([0, 1, 2, 3, 4, 5])(
    "cut after %i answers, everything is applied once",
    async (cutAfter) => {
      const server = await startTestServer();
      const sessionId = randomUUID();
      const first = await WireClient.connect(server.origin, { sessionId });
      const isAnswer = (frame: Frame): boolean => frame.type === "MutationResponse";
      for (let i = 0; i < 6; i += 1) first.mutate(i, "messages:increment", { name: "c" });
      if (cutAfter > 0) await first.until(() => first.frames.filter(isAnswer).length >= cutAfter);
      first.cut();
      const second = await WireClient.connect(server.origin, { sessionId });
      for (let i = 0; i < 6; i += 1) second.mutate(i, "messages:increment", { name: "c" });
      await second.until(() => second.frames.filter(isAnswer).length === 6);
      expect(await newHttpClient(server).query(chat.counter, { name: "c" })).toBe(6n);
    },
  );

  test("without a Connect, two connections' requests are two, whatever their numbers", async () => {
    const { origin } = await startTestServer();
    for (const expected of [1n, 2n]) {
      const client = await WireClient.open(origin);
      client.mutate(0, "messages:increment", { name: "x" });
      const { success, result } = await client.untilType("MutationResponse");
      expect([success, result]).toEqual([true, convexToJson(expected)]);
    }
  });

  test("the same request number of another session, function or argument is another mutation", async () => {
    const server = await startTestServer();
    const sessionId = randomUUID();
    const client = await WireClient.connect(server.origin, { sessionId });
    client.mutate(0, "messages:increment", { name: "x" });
    client.mutate(0, "messages:increment", { name: "y" });
    const other = await WireClient.connect(server.origin);
    other.mutate(0, "messages:increment", { name: "x" });
    await other.untilType("MutationResponse");
    await client.until(
      () => client.frames.filter((f) => f.type === "MutationResponse").length === 2,
    );
    const http = newHttpClient(server);
    expect(await http.query(chat.counter, { name: "x" })).toBe(2n);
    expect(await http.query(chat.counter, { name: "y" })).toBe(1n);
  });
});

describe("refusals", () => {
  const connect = { type: "Connect", sessionId: randomUUID(), connectionCount: 0 };

  test.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["an unknown type", { type: "Surprise" }],
    ["a session that is no uuid", { ...connect, sessionId: "1" }],
    ["a timestamp of three bytes", { ...connect, maxObservedTimestamp: "AAAA" }],
    ["a prototype key", `{"type":"Connect","__proto__":{}}`],
    ["endless nesting", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
  ])("end the connection: %s", async (_title, message) => {
    const { origin } = await startTestServer();
    const client = await WireClient.open(origin);
    client.send(message);
    await client.untilClosed();
    expect(client.frames.map((frame) => frame.type)).toEqual(["FatalError"]);
  });

  test.each([
    [
      "a wrong base version",
      { type: "ModifyQuerySet", baseVersion: 3, newVersion: 4, modifications: [] },
    ],
    ["another Connect", connect],
    ["a wrong identity version", { type: "Authenticate", tokenType: "None", baseVersion: 2 }],
    ["a negative request", { type: "Mutation", requestId: -1, udfPath: "a:b", args: [{}] }],
    [
      "arguments that are a list",
      { type: "Mutation", requestId: 1, udfPath: "a:b", args: [{}, {}] },
    ],
    [
      "removing what was never added",
      {
        type: "ModifyQuerySet",
        baseVersion: 0,
        newVersion: 1,
        modifications: [{ type: "Remove", queryId: 9 }],
      },
    ],
    ["a version that is not larger", { ...WATCH_TABLES, newVersion: 0 }],
    ["adding a query id twice", { ...WATCH_TABLES, modifications: [ADD_LIST(1), ADD_LIST(1)] }],
    [
      "one query too many",
      {
        ...WATCH_TABLES,
        modifications: Array.from({ length: QUERIES_PER_CONNECTION_MAX + 1 }, (_, id) =>
          ADD_LIST(id),
        ),
      },
    ],
    [
      "a query of a component",
      { ...WATCH_TABLES, modifications: [{ ...ADD_LIST(1), componentPath: "x" }] },
    ],
    [
      "a component",
      { type: "Mutation", requestId: 1, udfPath: "a:b", args: [{}], componentPath: "x" },
    ],
  ])("end the connection after Connect: %s", async (_title, message) => {
    const { origin } = await startTestServer();
    const client = await WireClient.connect(origin);
    client.send(message);
    await client.untilClosed();
    expect(client.frames.at(-1)?.type).toBe("FatalError");
  });

  test("larger queries than one connection may have kept end it, open ones at a time", async () => {
    const messageMaxBytes = 4096;
    const { origin } = await startTestServer({ messageMaxBytes });
    const client = await WireClient.connect(origin);
    const large = "x".repeat(messageMaxBytes * 0.6);
    const change = (baseVersion: number, ...modifications: object[]) =>
      client.send({ ...WATCH_TABLES, baseVersion, newVersion: baseVersion + 1, modifications });
    change(0, ADD_LIST(0, large));
    change(1, { type: "Remove", queryId: 0 });
    change(2, ADD_LIST(1, large));
    await client.until(({ endVersion }) => (endVersion as Version | undefined)?.querySet === 3);
    change(3, ADD_LIST(2, large));
    await client.untilClosed();
    expect(client.frames.at(-1)).toMatchObject({
      type: "FatalError",
      error: `Too large queries on one connection (limit: ${messageMaxBytes} characters)`,
    });
  });

  test("close on binary and oversized frames", async () => {
    const { origin } = await startTestServer({ messageMaxBytes: 1024 });
    const binary = await WireClient.connect(origin);
    binary.sendBinary(new Uint8Array([1, 2, 3]));
    expect(await binary.untilClosed()).toBe(1003);
    const large = await WireClient.connect(origin);
    large.send("x".repeat(2000));
    expect(await large.untilClosed()).toBe(1009);
  });

  test("a client that has seen newer data than there is", async () => {
    const future = Buffer.alloc(8);
    future.writeBigUInt64LE(BigInt(Date.now() + 86_400_000) * 1_000_000n);
    const seen = { maxObservedTimestamp: future.toString("base64") };
    for (const server of [await startTestServer(), await startTestServer()]) {
      for (const client of ["first", "second"]) {
        const wire = await WireClient.connect(server.origin, seen);
        expect(await wire.untilClosed(), client).toBe(1011);
      }
      // Each server once a minute, however many say so.
      expect(server.logLines.filter((line) => line.includes("newer data"))).toHaveLength(1);
    }
  });

  test("leave the server serving others", async () => {
    const server = await startTestServer();
    for (const text of ["{", "null", '{"type":1}']) {
      const client = await WireClient.open(server.origin);
      client.send(text);
      await client.untilClosed();
    }
    expect(await newHttpClient(server).query(chat.list, { channel: "a" })).toEqual([]);
  });
});

describe("identity on the socket", () => {
  test("a bad token is an AuthError and a closed connection", async () => {
    const { origin } = await startTestServer();
    const client = await WireClient.connect(origin);
    client.send({ type: "Authenticate", tokenType: "User", value: "a.b.c", baseVersion: 0 });
    await client.untilClosed();
    expect(client.frames.at(-1)).toMatchObject({
      type: "AuthError",
      baseVersion: 0,
      authUpdateAttempted: true,
    });
  });

  test("the admin key opens system queries and internal functions; a wrong one nothing", async () => {
    const { origin } = await startTestServer();
    const wrong = await WireClient.connect(origin);
    wrong.send(adminSignIn("embedded|wrong"));
    await wrong.untilClosed();
    expect(wrong.frames.at(-1)?.type).toBe("AuthError");
    const admin = await WireClient.connect(origin);
    admin.send(adminSignIn(ADMIN_KEY));
    admin.send(WATCH_TABLES);
    const transition = await admin.until(showsResults);
    expect(JSON.stringify(transition.modifications)).toContain("QueryUpdated");
    expect((transition.endVersion as Version).identity).toBe(1);
  });

  test("what the admin key sees is shared with nobody, and nobody's refusal with it", async () => {
    const { origin } = await startTestServer();
    const open = async (isAdmin: boolean): Promise<string> => {
      const client = await WireClient.connect(origin);
      if (isAdmin) client.send(adminSignIn(ADMIN_KEY));
      client.send(WATCH_TABLES);
      const transition = await client.until(showsResults);
      return JSON.stringify(transition.modifications);
    };
    // Each connection stays open, so that the previous one's result is still shared.
    expect(await open(false)).toContain("QueryFailed");
    expect(await open(true)).toContain("QueryUpdated");
    expect(await open(false)).toContain("QueryFailed");
    expect(await open(true)).toContain("QueryUpdated");
  });
});
