/** Attacks by calls that succeed and change nothing: the answer to each is kept, for clients that lost it. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WireClient } from "../embedded/sync/wire";
import { DEMO, enter, openBank, type Bank } from "./bank";

const TIMEOUT_MS = 120_000;
/** Answers kept of one person's, or all strangers', calls of an hour that changed nothing. */
const KEPT_MAX = 1_000;
/** Fewer than a connection may have waiting. */
const AT_ONCE = 600;

let bank: Bank;

beforeAll(async () => {
  bank = await openBank();
}, TIMEOUT_MS);

afterAll(() => bank.close());

function countOf(table: string): number {
  const txn = bank.server.backend.db.beginQuery();
  try {
    return txn.count(table);
  } finally {
    txn.close();
  }
}
const kept = () => countOf("_session_requests");

/** Calls again and again, with numbers from `firstId` on, and waits for the last answer. */
async function call(
  wire: WireClient,
  udfPath: string,
  args: object,
  firstId: number,
  count: number,
): Promise<unknown> {
  for (let made = 0; made < count; made++) {
    wire.send({ type: "Mutation", requestId: firstId + made, udfPath, args: [args] });
  }
  const isLast = ({ type, requestId }: { type: string; requestId?: unknown }) =>
    type === "MutationResponse" && requestId === firstId + count - 1;
  return await wire.until(isLast);
}

const message = (requestKey: string) => ({
  name: "Eve",
  email: "eve@bank.example",
  subject: "general",
  message: "Again and again",
  preferredContact: "email",
  requestKey,
});

test(
  "TH37 a stranger cannot fill the store with answers; what changes something stays exactly once",
  async () => {
    const eve = await WireClient.connect(bank.origin);
    const again = message(randomUUID());
    for (const firstId of [0, AT_ONCE]) await call(eve, "contact:send", again, firstId, AT_ONCE);
    // The first of them wrote the message.
    expect(kept()).toBe(KEPT_MAX + 1);
    const { sessionId } = eve;
    const back = await WireClient.connect(bank.origin, { sessionId });
    // Without a kept answer the call runs again, and returns the same.
    const last = await call(back, "contact:send", again, 2 * AT_ONCE - 1, 1);
    expect(last).toMatchObject({ success: true });
    for (const wire of [eve, back]) {
      await call(wire, "contact:send", { ...message(""), requestKey: undefined }, 5_000, 1);
    }
    expect([kept(), countOf("contactMessages")]).toEqual([KEPT_MAX + 2, 2]);
  },
  TIMEOUT_MS,
);

test("TH37 neither can a member, nor does a stranger's share count for members", async () => {
  const { token } = await enter(bank, DEMO.maya);
  const maya = await WireClient.connect(bank.origin);
  maya.send({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
  const before = kept();
  for (const firstId of [0, AT_ONCE]) await call(maya, "sessions:touch", {}, firstId, AT_ONCE);
  expect(kept() - before).toBe(KEPT_MAX);
});
