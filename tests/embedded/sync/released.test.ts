/** No result stays open for a query that is gone: it would be kept, and followed, for as long as the server runs. */
import { expect, onTestFinished, test, vi } from "vitest";
import { QueryHub } from "../../../embedded/sync/hub";
import { PATIENCE } from "../../support/patience";
import { startTestServer } from "../server/testServer";
import { computedInVain } from "./computedInVain";
import { oneInATurn } from "./oneInATurn";
import { WireClient } from "./wire";

const add = (_: unknown, queryId: number) => ({
  type: "Add",
  queryId,
  udfPath: "messages:list",
  args: [{ channel: `c${queryId}` }],
});

/** A connection that asks for some queries, and the server's hub. */
async function openQueries(origin: string, count: number) {
  const fetched = vi.spyOn(QueryHub.prototype, "fetch");
  onTestFinished(() => fetched.mockRestore());
  const client = await WireClient.connect(origin);
  const modifications = Array.from({ length: count }, add);
  client.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled(), PATIENCE);
  return { client, hub: fetched.mock.contexts[0] as QueryHub, fetched };
}

test("a message that removes a query and then breaks the protocol", async () => {
  const { origin } = await startTestServer();
  const { client, hub } = await openQueries(origin, 2);
  await client.untilType("Transition");
  expect(hub.liveCount).toBe(2);
  const modifications = [0, 7].map((queryId) => ({ type: "Remove", queryId }));
  client.send({ type: "ModifyQuerySet", baseVersion: 1, newVersion: 2, modifications });
  await client.untilClosed();
  expect(hub.liveCount).toBe(0);
});

test("a query removed between the turns of a Transition that has to be computed again", async () => {
  const { origin } = await startTestServer();
  const last = 1;
  oneInATurn();
  const inTurn = vi.spyOn(QueryHub.prototype, "inTurn");
  const released = vi.spyOn(QueryHub.prototype, "release");
  onTestFinished(() => [inTurn, released].forEach((spy) => spy.mockRestore()));
  inTurn.mockImplementationOnce(async function (this: QueryHub, person, part) {
    const { client, fetched } = await opening;
    const modifications = [{ type: "Remove", queryId: last }];
    client.send({ type: "ModifyQuerySet", baseVersion: 1, newVersion: 2, modifications });
    await vi.waitFor(() => expect(released).toHaveBeenCalled(), PATIENCE);
    fetched.mockImplementationOnce(computedInVain);
    return this.inTurn(person, part);
  });
  const opening = openQueries(origin, last + 1);
  const { client, hub } = await opening;
  await client.untilType("Transition");
  expect(hub.liveCount).toBe(last);
});

test("a connection that closes between the turns of a Transition", async () => {
  const { origin } = await startTestServer();
  const inTurn = vi.spyOn(QueryHub.prototype, "inTurn");
  onTestFinished(() => inTurn.mockRestore());
  oneInATurn();
  let isOver: (value?: unknown) => void = () => undefined;
  const over = new Promise((resolve) => (isOver = resolve));
  inTurn.mockImplementationOnce(async function (this: QueryHub, person, part) {
    const { client, hub } = await opening;
    expect(hub.liveCount).toBe(1);
    client.cut();
    await vi.waitFor(() => expect(hub.liveCount).toBe(0), PATIENCE);
    const done = this.inTurn(person, part);
    void done.then(() => setImmediate(isOver));
    return done;
  });
  const opening = openQueries(origin, 3);
  const { hub } = await opening;
  inTurn.mockClear();
  await over;
  // By the turn above. The rest is not computed for nobody.
  expect(inTurn).toHaveBeenCalledTimes(1);
  expect(hub.liveCount).toBe(0);
});
