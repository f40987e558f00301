/** Whoever opens many connections, with as many queries as one computes at once, or queries that take long. */
import { expect, test, vi } from "vitest";
import type { Backend } from "../../../embedded/runtime/backend";
import { NO_IDENTITY } from "../../../embedded/runtime/identity";
import { senderOf } from "../../../embedded/runtime/sender";
import { inRounds } from "../../../embedded/sync/rounds";
import { chat } from "../fixtures/chatApi";
import { countTurns } from "../../support/countTurns";
import { PATIENCE } from "../../support/patience";
import { ADMIN_KEY, newHttpClient, startTestServer } from "../server/testServer";
import { WireClient } from "./wire";

const CONNECTIONS = 20;
const QUERIES = 32;
const OTHERS = -1;

const LONGER_THAN_A_TURN_MS = 10;

function busyFor(ms: number): void {
  for (const startMs = performance.now(); performance.now() < startMs + ms;);
}

const STRANGER = { tokenType: "None" };
const ADA = {
  tokenType: "Admin",
  value: ADMIN_KEY,
  actingAs: { subject: "ada", issuer: "https://people.example" },
};

test.each([
  ["somebody who is signed in", ADA, "203.0.113.1"],
  ["a stranger", STRANGER, "192.0.2.1"],
])(
  "does not keep somebody else waiting, and computes no more in a turn than a connection: %s",
  async (...who) => {
    const [, theirs, address] = who;
    const { origin, backend } = await startTestServer({ trustedProxy: "127.0.0.1" });
    const open = async (groups: readonly number[], credentials: object, from: string) => {
      const headers = { "X-Forwarded-For": from };
      const client = await WireClient.connect(origin, { headers });
      client.send({ type: "Authenticate", baseVersion: 0, ...credentials });
      const query = { type: "Add", udfPath: "messages:listForCaller" };
      const modifications = groups.map((group, queryId) => ({
        queryId,
        args: [{ channel: "a", group }],
        ...query,
      }));
      client.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
      await client.until((frame) => JSON.stringify(frame).includes("QueryUpdated"));
    };
    for (let at = 0; at < CONNECTIONS; at += 1) {
      const groups = Array.from({ length: QUERIES }, (_, each) => at * 100 + each);
      await open(groups, theirs, address);
    }
    await open([OTHERS], STRANGER, "203.0.113.2");
    const execute = backend.runtime.executeClientQuery.bind(backend.runtime);
    const turns = countTurns();
    const runs: { readonly group: unknown; readonly turn: number }[] = [];
    vi.spyOn(backend.runtime, "executeClientQuery").mockImplementation((...call) => {
      const [{ args }] = call;
      runs.push({ group: (args as { group: number }).group, turn: turns() });
      busyFor(1);
      return execute(...call);
    });
    await backend.runtime.runInternal("messages:send", { channel: "a", body: "x" });
    const allCount = CONNECTIONS * QUERIES + 1;
    await vi.waitFor(() => expect(runs).toHaveLength(allCount), PATIENCE);
    const place = runs.findIndex(({ group }) => group === OTHERS);
    expect(place).toBeLessThanOrEqual(QUERIES);
    const inOneTurn = runs.map(({ turn }) => runs.filter((other) => other.turn === turn).length);
    expect(Math.max(...inOneTurn)).toBeLessThan(2 * QUERIES);
  },
);

/** Opens queries for the same rows on one connection, and waits for all of them. */
async function show(origin: string, count: number, firstGroup = 0): Promise<void> {
  const client = await WireClient.connect(origin);
  const modifications = Array.from({ length: count }, (_, queryId) => ({
    type: "Add",
    queryId,
    udfPath: "messages:listForCaller",
    args: [{ channel: "a", group: firstGroup + queryId }],
  }));
  client.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
  const shown = () => client.frames.flatMap((frame) => (frame.modifications ?? []) as object[]);
  await client.until(() => shown().length === count);
}

/** In which turns of the event loop queries run, each of which takes longer than a turn has time. */
function slowTurns({ runtime }: Backend): readonly number[] {
  const execute = runtime.executeClientQuery.bind(runtime);
  const turns = countTurns();
  const ranIn: number[] = [];
  vi.spyOn(runtime, "executeClientQuery").mockImplementation(async (...call) => {
    const outcome = await execute(...call);
    ranIn.push(turns());
    busyFor(LONGER_THAN_A_TURN_MS);
    return outcome;
  });
  return ranIn;
}

test("of a connection's queries that take long, one is computed in a turn", async () => {
  const { origin, backend } = await startTestServer();
  const ranIn = slowTurns(backend);
  await show(origin, 5);
  expect(new Set(ranIn).size).toBe(5);
});

test("so it is of those of many connections, which one commit makes wait together", async () => {
  const { origin, backend } = await startTestServer();
  for (let group = 0; group < 5; group += 1) await show(origin, 1, group);
  const ranIn = slowTurns(backend);
  await backend.runtime.runInternal("messages:send", { channel: "a", body: "x" });
  await vi.waitFor(() => expect(ranIn).toHaveLength(5), PATIENCE);
  expect(new Set(ranIn).size).toBe(5);
});

test("of results too large for one Transition, those for the next are not computed in vain", async () => {
  const server = await startTestServer();
  const http = newHttpClient(server);
  // 7.2 megabytes as JSON in each result: four of them fit.
  for (let sent = 0; sent < 6; sent += 1) {
    await http.mutation(chat.send, { channel: "a", body: "\n".repeat(600_000) });
  }
  const runs = vi.spyOn(server.backend.runtime, "executeClientQuery");
  await show(server.origin, 12);
  // One more with each of the first two.
  expect(runs).toHaveBeenCalledTimes(14);
});

test("strangers take turns among themselves, and have one for each of a person's", () => {
  const stranger = (number: number) => senderOf(NO_IDENTITY, `203.0.113.${number}`);
  const asked = [
    ...[1, 1, 2, 3].map((number, at) => ({ name: `stranger ${at}`, sender: stranger(number) })),
    ...["ada", "ada", "bea"].map((sender, at) => ({ name: `${sender} ${at}`, sender })),
  ];
  expect(inRounds(asked).map(({ name }) => name)).toEqual([
    ...["stranger 0", "ada 0", "bea 2"],
    ...["stranger 2", "ada 1"],
    ...["stranger 3", "stranger 1"],
  ]);
});
