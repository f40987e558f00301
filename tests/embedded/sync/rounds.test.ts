/** Whoever opens many connections, with as many queries as one computes at once. */
import { expect, test, vi } from "vitest";
import { QUERIES_PER_TURN_MAX } from "../../../embedded/sync/hub";
import { countTurns } from "../../support/countTurns";
import { PATIENCE } from "../../support/patience";
import { ADMIN_KEY, startTestServer } from "../server/testServer";
import { WireClient } from "./wire";

const CONNECTIONS = 20;
const OTHERS = -1;

test("does not keep somebody else waiting, and computes no more in a turn than one connection does", async () => {
  const { origin, backend } = await startTestServer();
  const open = async (groups: readonly number[], credentials: object) => {
    const client = await WireClient.connect(origin);
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
  const actingAs = { subject: "ada", issuer: "https://people.example" };
  for (let at = 0; at < CONNECTIONS; at += 1) {
    const groups = Array.from({ length: QUERIES_PER_TURN_MAX }, (_, each) => at * 100 + each);
    await open(groups, { tokenType: "Admin", value: ADMIN_KEY, actingAs });
  }
  await open([OTHERS], { tokenType: "None" });
  const execute = backend.runtime.executeClientQuery.bind(backend.runtime);
  const turns = countTurns();
  const runs: { readonly group: unknown; readonly turn: number }[] = [];
  vi.spyOn(backend.runtime, "executeClientQuery").mockImplementation((...call) => {
    const [{ args }] = call;
    runs.push({ group: (args as { group: number }).group, turn: turns() });
    return execute(...call);
  });
  await backend.runtime.runInternal("messages:send", { channel: "a", body: "x" });
  const allCount = CONNECTIONS * QUERIES_PER_TURN_MAX + 1;
  await vi.waitFor(() => expect(runs).toHaveLength(allCount), PATIENCE);
  const place = runs.findIndex(({ group }) => group === OTHERS);
  expect(place).toBeLessThanOrEqual(QUERIES_PER_TURN_MAX);
  const inOneTurn = runs.map(({ turn }) => runs.filter((other) => other.turn === turn).length);
  expect(Math.max(...inOneTurn)).toBeLessThan(2 * QUERIES_PER_TURN_MAX);
});
