/** Attacks by live queries: the server keeps their arguments in memory until the connection ends. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { WireClient } from "../embedded/sync/wire";
import { usedHeapBytes } from "../support/heap";
import { DEMO, enter, openBank, type Bank, type Visitor } from "./bank";

const TIMEOUT_MS = 120_000;
const MIB = 1024 * 1024;

let bank: Bank;
let maya: Visitor;

beforeAll(async () => {
  bank = await openBank();
  maya = await enter(bank, DEMO.maya);
}, TIMEOUT_MS);

afterAll(() => bank.close());

const subscription = (args: string) =>
  `{"type":"ModifyQuerySet","baseVersion":0,"newVersion":1,"modifications":[{"type":"Add","queryId":1,"udfPath":"viewer:get","args":[${args}]}]}`;

async function connectAsMaya(): Promise<WireClient> {
  const wire = await WireClient.connect(bank.origin);
  wire.send({ type: "Authenticate", tokenType: "User", value: maya.token, baseVersion: 0 });
  return wire;
}

const untilResult = (wire: WireClient) =>
  wire.until(({ modifications }) => JSON.stringify(modifications ?? "").includes('"queryId":1'));

test("TH37 the server keeps few query arguments for a visitor, and up to one frame for a member", async () => {
  const large = subscription(`{"x":"${"x".repeat(70_000)}"}`);
  const stranger = await WireClient.connect(bank.origin);
  stranger.send(large);
  await stranger.untilClosed();
  expect(stranger.frames.at(-1)).toMatchObject({
    type: "FatalError",
    error: "Too large queries on one connection (limit: 65536 characters)",
  });
  const member = await connectAsMaya();
  member.send(large);
  // The query was kept and run, and refused by the function.
  expect(JSON.stringify(await untilResult(member))).toContain("QueryFailed");
});

test(
  "TH37 kept arguments take about as much memory as in their frame",
  async () => {
    // Each of these three characters is an object once it is parsed.
    const args = `{"x":[${"{},".repeat(MIB / 3 - 500)}0]}`;
    const count = 10;
    const before = usedHeapBytes();
    for (let opened = 0; opened < count; opened++) {
      const wire = await connectAsMaya();
      wire.send(subscription(args));
      await untilResult(wire);
    }
    const perQuery = (usedHeapBytes() - before) / count;
    expect(perQuery).toBeLessThan(5 * MIB);
  },
  TIMEOUT_MS,
);
