/**
 * Shared results: a query runs once for all clients that show it.
 *
 * Long because the tests open the same few kinds of screens.
 */
import { expect, onTestFinished, test, vi } from "vitest";
import { QueryHub } from "../../../embedded/sync/hub";
import { decodeTs } from "../../../embedded/sync/protocol";
import { PATIENCE } from "../../support/patience";
import { chat } from "../fixtures/chatApi";
import { ADMIN_KEY, CHAT_DIR, newHttpClient, startTestServer } from "../server/testServer";
import { oneInATurn } from "./oneInATurn";
import { WireClient } from "./wire";

async function openScreen(origin: string, own: { group?: number }): Promise<WireClient> {
  const screen = await WireClient.connect(origin);
  const args = [{ channel: "a", ...own }];
  const modifications = [{ type: "Add", queryId: 0, udfPath: "messages:listForCaller", args }];
  screen.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
  return screen;
}

/** The values of all results the client was sent, in order. */
const valuesOf = <Value>(wire: WireClient): Value[] =>
  wire.frames
    .filter(({ type }) => type === "Transition")
    .flatMap(({ modifications }) => modifications as { value: Value }[])
    .map(({ value }) => value);

function untilShown(screen: WireClient, bodies: readonly string[]) {
  const shown = JSON.stringify({ bodies, caller: null });
  return screen.until((frame) => JSON.stringify(frame.modifications)?.includes(shown) === true);
}

test("one person's result is shown on all their screens from one run, again after each change", async () => {
  const { origin, backend } = await startTestServer();
  const runs = vi.spyOn(backend.runtime, "executeClientQuery");
  const screens = await Promise.all(Array.from({ length: 40 }, () => openScreen(origin, {})));
  const allShow = (bodies: string[]) =>
    Promise.all(screens.map((screen) => untilShown(screen, bodies)));
  await allShow([]);
  const writer = await WireClient.connect(origin);
  const bodies: string[] = [];
  for (const [requestId, body] of ["x", "y", "z"].entries()) {
    bodies.push(body);
    runs.mockClear();
    writer.mutate(requestId, "messages:send", { channel: "a", body });
    await allShow(bodies);
    expect(runs).toHaveBeenCalledTimes(1);
  }
});

test.each(["messages:time", "messages:elapsed"])(
  "a result that became too old to be shared leaves its place to the next one (%s)",
  async (udfPath) => {
    const { origin, backend } = await startTestServer();
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const runs = vi.spyOn(backend.runtime, "executeClientQuery");
    const add = { type: "Add", queryId: 0, udfPath, args: [{}] };
    const times: unknown[] = [];
    // In the last case the clock was set back.
    for (const laterMs of [0, 10_000, 0, 0, -60_000]) {
      vi.setSystemTime(Date.now() + laterMs);
      const screen = await WireClient.connect(origin);
      screen.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [add] });
      const { modifications } = await screen.untilType("Transition");
      times.push((modifications as { value: number }[])[0]?.value);
    }
    expect(times[1]).toBe(Number(times[0]) + 10_000);
    expect(times.slice(2)).toEqual([times[1], times[1], Number(times[1]) - 60_000]);
    expect(runs).toHaveBeenCalledTimes(3);
  },
);

test("a result that is still being computed is not shared with who comes after a later commit", async () => {
  const server = await startTestServer();
  const runs = vi.spyOn(server.backend.runtime, "executeClientQuery");
  const slow = { channel: "a", iterations: 400_000 };
  const open = (screen: WireClient) =>
    screen.send({
      type: "ModifyQuerySet",
      baseVersion: 0,
      newVersion: 1,
      modifications: [{ type: "Add", queryId: 0, udfPath: "messages:slowList", args: [slow] }],
    });
  open(await WireClient.connect(server.origin));
  await vi.waitFor(() => expect(runs).toHaveBeenCalled(), PATIENCE);
  await newHttpClient(server).mutation(chat.send, { channel: "a", body: "x" });
  const later = await WireClient.connect(server.origin);
  open(later);
  const { modifications } = await later.untilType("Transition");
  expect(modifications).toMatchObject([{ value: ["x"] }]);
});

test("many shared results that change at once take no turn each", async () => {
  const { origin } = await startTestServer();
  const groups = Array.from({ length: 40 }, (_, at) => Math.floor(at / 2));
  const screens = await Promise.all(groups.map((group) => openScreen(origin, { group })));
  const allShow = (bodies: string[]) =>
    Promise.all(screens.map((screen) => untilShown(screen, bodies)));
  await allShow([]);
  const writer = await WireClient.connect(origin);
  // From the first change on, both clients of a group share one result.
  writer.mutate(0, "messages:send", { channel: "a", body: "x" });
  await allShow(["x"]);
  const requests = vi.spyOn(QueryHub.prototype, "requestTurn");
  onTestFinished(() => requests.mockRestore());
  writer.mutate(1, "messages:send", { channel: "a", body: "y" });
  await allShow(["x", "y"]);
  expect(requests.mock.calls.length).toBeLessThan(4 * screens.length);
});

const MANY = 50;

/** A client that shows the same rows in many queries, and their values after each Transition. */
async function openMany(origin: string) {
  const client = await WireClient.connect(origin);
  const add = (_: unknown, queryId: number) => ({
    type: "Add",
    queryId,
    udfPath: "messages:listForCaller",
    args: [{ channel: "a", group: queryId }],
  });
  const modifications = Array.from({ length: MANY }, add);
  client.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
  const states = () => {
    const shown = new Map<number, string>();
    return client.frames
      .filter(({ type, endVersion }) => type === "Transition" && isOfQueries(endVersion))
      .map(({ modifications: changes, endVersion }) => {
        for (const { queryId, value } of changes as { queryId: number; value: unknown }[]) {
          shown.set(queryId, JSON.stringify(value));
        }
        const ts = decodeTs((endVersion as { ts: string }).ts);
        return { queries: shown.size, different: [...new Set(shown.values())], ts };
      });
  };
  await client.until(() => states().at(-1)?.queries === MANY);
  return { client, states };
}

const isOfQueries = (version: unknown) => (version as { querySet: number }).querySet === 1;

test("a Transition moves all queries of a connection to one state, however many they are", async () => {
  const { origin, backend } = await startTestServer();
  const { client, states } = await openMany(origin);
  const { runtime } = backend;
  oneInATurn();
  const runs = vi.spyOn(runtime, "executeClientQuery");
  for (const [requestId, body] of ["x", "y", "z"].entries()) {
    const first = runs.mock.calls.length;
    client.mutate(2 * requestId, "messages:send", { channel: "a", body });
    // And once more while the queries are computed.
    await vi.waitFor(() => expect(runs.mock.calls.length).toBeGreaterThan(first), PATIENCE);
    client.mutate(2 * requestId + 1, "messages:send", { channel: "a", body: `${body}2` });
  }
  const last = '["x","x2","y","y2","z","z2"]';
  await client.until(() => states().at(-1)?.different[0]?.includes(last) === true);
  for (const { queries, different } of states()) {
    expect([queries, different]).toEqual([MANY, [expect.any(String)]]);
  }
});

test("a commit between the turns of a Transition is in the next one, also where others show it already", async () => {
  const { origin, backend } = await startTestServer();
  const { client, states } = await openMany(origin);
  const others = await Promise.all([0, 1].map(() => openScreen(origin, { group: MANY - 1 })));
  const allShow = (bodies: string[]) =>
    Promise.all(others.map((other) => untilShown(other, bodies)));
  await allShow([]);
  const send = (body: string) =>
    backend.runtime.runInternal("messages:send", { channel: "a", body });
  const inTurn = vi.spyOn(QueryHub.prototype, "inTurn");
  onTestFinished(() => inTurn.mockRestore());
  oneInATurn();
  let changedTs = 0n;
  inTurn.mockImplementationOnce(async function (this: QueryHub, person, part) {
    await send("y");
    changedTs = backend.db.durableTs;
    await allShow(["x", "y"]);
    return this.inTurn(person, part);
  });
  await send("x");
  await client.until(() => states().at(-1)?.different[0]?.includes('["x","y"]') === true);
  const shown = states().flatMap(({ different, ts }) => {
    expect(different).toHaveLength(1);
    // Whoever sent "y" would take its answer for shown.
    expect(ts >= changedTs).toBe(different[0]?.includes('"y"'));
    return different;
  });
  expect(shown).toContainEqual(expect.stringContaining('["x"]'));
});

test("others have their turn while a Transition of many queries is computed", async () => {
  const { origin, backend } = await startTestServer();
  const other = await WireClient.connect(origin);
  const { client } = await openMany(origin);
  const runs = vi.spyOn(backend.runtime, "executeClientQuery");
  const args = [{ channel: "a", group: -1 }];
  const query = { type: "Add", queryId: 0, udfPath: "messages:listForCaller", args };
  other.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [query] });
  await other.untilType("Transition");
  runs.mockClear();
  oneInATurn();
  client.mutate(0, "messages:send", { channel: "a", body: "x" });
  await untilShown(other, ["x"]);
  const groups = () => runs.mock.calls.map(([call]) => (call.args as { group: number }).group);
  await vi.waitFor(() => expect(groups()).toHaveLength(MANY + 1), PATIENCE);
  expect(groups().indexOf(-1)).toBeLessThanOrEqual(1);
});

test("what strangers were shown is not shown to who is signed in", async () => {
  // The issuer is read when the functions load, so the server needs its own bundle.
  const server = await startTestServer({ functions: { functionsDir: CHAT_DIR } });
  const ask = (wire: WireClient) => {
    const query = { type: "Add", udfPath: "messages:whoAmI", args: [{}] };
    const modifications = [0, 1].map((queryId) => ({ ...query, queryId }));
    wire.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
  };
  const strangers = await Promise.all([0, 1].map(() => WireClient.connect(server.origin)));
  for (const stranger of strangers) ask(stranger);
  await Promise.all(
    strangers.map((stranger) => stranger.until(() => valuesOf(stranger).length === 2)),
  );
  const { tokens } = await newHttpClient(server).action(chat.signIn, {
    provider: "password",
    params: { email: "ada@people.example", password: "long enough", flow: "signUp" },
  });
  const member = await WireClient.connect(server.origin);
  const value = tokens?.token ?? "";
  member.send({ type: "Authenticate", baseVersion: 0, tokenType: "User", value });
  ask(member);
  await member.until(() => valuesOf(member).length === 2);
  expect(valuesOf(member)).toEqual([expect.any(String), expect.any(String)]);
  expect(valuesOf(strangers[0]!)).toEqual([null, null]);
});

test("what administrators are shown of the inside is shown to nobody else", async () => {
  const { origin } = await startTestServer();
  const args = { table: "messages", order: "asc", paginationOpts: { numItems: 1, cursor: null } };
  const query = { type: "Add", queryId: 0, udfPath: "_system/cli/tableData", args: [args] };
  const ask = async (wire: WireClient) => {
    wire.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [query] });
    const answer = await wire.until(
      ({ modifications }) => Array.isArray(modifications) && modifications.length > 0,
    );
    return answer.modifications;
  };
  const office = await WireClient.connect(origin);
  office.send({ type: "Authenticate", baseVersion: 0, tokenType: "Admin", value: ADMIN_KEY });
  expect(await ask(office)).toMatchObject([{ type: "QueryUpdated" }]);
  expect(await ask(await WireClient.connect(origin))).toMatchObject([{ type: "QueryFailed" }]);
});

test("an open query shows what the new identity may see, and after the next change of it what that one may", async () => {
  const { origin } = await startTestServer();
  const page = await WireClient.connect(origin);
  const query = {
    type: "Add",
    queryId: 0,
    udfPath: "messages:listForCaller",
    args: [{ channel: "a" }],
  };
  page.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [query] });
  const callers = () => valuesOf<{ caller: string | null }>(page).map(({ caller }) => caller);
  await page.until(() => callers().length === 1);
  const actingAs = { subject: "ada", issuer: "https://people.example" };
  const admin = { tokenType: "Admin", value: ADMIN_KEY, actingAs };
  page.send({ type: "Authenticate", baseVersion: 0, ...admin });
  await page.until(() => callers().length === 2);
  page.send({ type: "Authenticate", baseVersion: 1, tokenType: "None" });
  await page.until(() => callers().length === 3);
  expect(callers()).toEqual([null, expect.stringContaining("ada"), null]);
});

test("an open query shows nothing of the person who was signed in before on the same connection", async () => {
  // The issuer is read when the functions load, so the server needs its own bundle.
  const server = await startTestServer({ functions: { functionsDir: CHAT_DIR } });
  const tokenOf = async (name: string) => {
    const params = { email: `${name}@people.example`, password: "long enough", flow: "signUp" };
    const { tokens } = await newHttpClient(server).action(chat.signIn, {
      provider: "password",
      params,
    });
    return tokens?.token ?? "";
  };
  const page = await WireClient.connect(server.origin);
  const query = { type: "Add", queryId: 0, udfPath: "messages:whoAmI", args: [{}] };
  page.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [query] });
  const shown = () => valuesOf<string | null>(page);
  await page.until(() => shown().length === 1);
  for (const [baseVersion, name] of ["ada", "ben"].entries()) {
    const value = await tokenOf(name);
    page.send({ type: "Authenticate", baseVersion, tokenType: "User", value });
    await page.until(() => shown().length === baseVersion + 2);
  }
  page.send({ type: "Authenticate", baseVersion: 2, tokenType: "None" });
  await page.until(() => shown().length === 4);
  const [before, ada, ben, after] = shown();
  expect([before, after]).toEqual([null, null]);
  expect(ada).toEqual(expect.any(String));
  expect(ben).toEqual(expect.any(String));
  expect(ada).not.toBe(ben);
});

test("a result that depends on who asks is shown to nobody else, also when it did not before", async () => {
  const { origin } = await startTestServer();
  const people = ["ada", "ben"];
  // When several groups change at once, only the first is computed in a turn of its own.
  const screens = [0, 1, 2].flatMap((group) => people.map((subject) => ({ group, subject })));
  const opened = await Promise.all(
    screens.map(async ({ group, subject }) => {
      const wire = await WireClient.connect(origin);
      const actingAs = { subject, issuer: "https://people.example" };
      const admin = { tokenType: "Admin", value: ADMIN_KEY, actingAs };
      wire.send({ type: "Authenticate", baseVersion: 0, ...admin });
      const args = [{ channel: "a", group }];
      const add = { type: "Add", queryId: 0, udfPath: "messages:callerOnceThere", args };
      wire.send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [add] });
      return { wire, subject };
    }),
  );
  await Promise.all(opened.map(({ wire }) => wire.until(() => valuesOf(wire).length === 1)));
  const writer = await WireClient.connect(origin);
  writer.mutate(0, "messages:send", { channel: "a", body: "x" });
  await Promise.all(opened.map(({ wire }) => wire.until(() => valuesOf(wire).length === 2)));
  for (const { wire, subject } of opened)
    expect(valuesOf(wire)).toEqual(["nothing there", subject]);
});
