/** Which run of a query others share: when several are under way, and when one of those who show it leaves. */
import { expect, onTestFinished, test, vi } from "vitest";
import { QueryHub } from "../../../embedded/sync/hub";
import { PATIENCE } from "../../support/patience";
import { ADMIN_KEY, startTestServer } from "../server/testServer";
import { WireClient } from "./wire";

/** Somebody's screen: nobody's first run of a query is another person's. */
async function openScreen(
  origin: string,
  subject: string,
  udfPath = "messages:list",
): Promise<WireClient> {
  const screen = await WireClient.connect(origin);
  const actingAs = { subject, issuer: "https://people.example" };
  const admin = { tokenType: "Admin", value: ADMIN_KEY, actingAs };
  screen.send({ type: "Authenticate", baseVersion: 0, ...admin });
  const query = { type: "Add", queryId: 0, udfPath, args: [{ channel: "a" }] };
  screen.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [query] });
  return screen;
}

const untilText = (screen: WireClient, text: string) =>
  screen.until(({ modifications }) => JSON.stringify(modifications)?.includes(text) === true);

const untilShown = (screen: WireClient) => untilText(screen, "QueryUpdated");

/** A server whose first runs wait until `goOn` is called, in the order of their start. */
async function startSlowServer(heldCount: number) {
  const { origin, backend } = await startTestServer();
  const fetched = vi.spyOn(QueryHub.prototype, "fetch");
  onTestFinished(() => fetched.mockRestore());
  const execute = backend.runtime.executeClientQuery.bind(backend.runtime);
  const runs = vi.spyOn(backend.runtime, "executeClientQuery");
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  for (let count = 0; count < heldCount; count += 1) {
    runs.mockImplementationOnce(async (...call) => {
      const outcome = await execute(...call);
      await held;
      return outcome;
    });
  }
  const untilRun = (count: number) =>
    vi.waitFor(() => expect(runs).toHaveBeenCalledTimes(count), PATIENCE);
  const untilLive = (count: number) =>
    vi.waitFor(() => {
      expect((fetched.mock.contexts[0] as QueryHub).liveCount).toBe(count);
    }, PATIENCE);
  return { origin, runs, goOn: () => goOn(), untilRun, untilLive };
}

test("of two runs with the same result the first is shared, also once the other one's person left", async () => {
  const { origin, runs, goOn, untilRun, untilLive } = await startSlowServer(2);
  const first = await openScreen(origin, "ada");
  await untilRun(1);
  const second = await openScreen(origin, "ben");
  await untilRun(2);
  goOn();
  await Promise.all([first, second].map(untilShown));
  second.cut();
  await untilLive(1);
  await untilShown(await openScreen(origin, "cy"));
  expect(runs).toHaveBeenCalledTimes(2);
});

test("a run whose person left meanwhile stands in nobody's way", async () => {
  const { origin, runs, goOn, untilRun, untilLive } = await startSlowServer(1);
  const gone = await openScreen(origin, "ada");
  await untilRun(1);
  gone.cut();
  await untilLive(0);
  goOn();
  await untilShown(await openScreen(origin, "ben"));
  await untilShown(await openScreen(origin, "cy"));
  expect(runs).toHaveBeenCalledTimes(2);
});

test("a result that changes on many screens is ready for all but the first", async () => {
  const { origin } = await startTestServer();
  const screens = await Promise.all(
    Array.from({ length: 10 }, (_, at) => openScreen(origin, `person${at}`)),
  );
  await Promise.all(screens.map(untilShown));
  const shows = (body: string) => Promise.all(screens.map((screen) => untilText(screen, body)));
  screens[0]!.mutate(0, "messages:send", { channel: "a", body: "shared from now on" });
  await shows("shared from now on");
  const fetched = vi.spyOn(QueryHub.prototype, "fetch");
  onTestFinished(() => fetched.mockRestore());
  screens[0]!.mutate(1, "messages:send", { channel: "a", body: "and again" });
  await shows("and again");
  const waits = fetched.mock.results.map(({ value }) => value instanceof Promise);
  expect(waits).toEqual(screens.map((_, at) => at === 0));
});

test("a person's own result that two of their screens wait for is kept for a third one", async () => {
  const { origin, runs, goOn, untilLive } = await startSlowServer(1);
  const open = () => openScreen(origin, "ada", "messages:listForCaller");
  const screens = [await open(), await open()];
  await untilLive(2);
  goOn();
  await Promise.all(screens.map(untilShown));
  await untilShown(await open());
  expect(runs).toHaveBeenCalledTimes(1);
});

test("a person's own result that one screen shows is not kept for another one", async () => {
  const { origin, runs } = await startSlowServer(0);
  const open = () => openScreen(origin, "ada", "messages:listForCaller");
  const first = await open();
  await untilShown(first);
  first.mutate(0, "messages:send", { channel: "a", body: "x" });
  await untilText(first, '["x"]');
  await untilShown(await open());
  expect(runs).toHaveBeenCalledTimes(3);
});
