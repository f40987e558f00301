/**
 * Races over real sockets: official clients, a server as `npm start` runs it, files on disk. After each,
 * sums are compared to the cent and the ledger check is run.
 */
import type { ConvexClient } from "convex/browser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import {
  balancesOf,
  DEMO,
  enter,
  internalTransfer,
  ledgerProblems,
  openBank,
  setChecking,
  socketsOf,
  tally,
  userTransfer,
  type Bank,
  type SubmitArgs,
  type Visitor,
} from "../attacks/bank";

const SOCKETS = 10;
const TIMEOUT_MS = 120_000;

let bank: Bank;
let root: Visitor;
/** Both are protected accounts without a transfer limit, so that only funds decide. */
let vera: Visitor;
let omar: Visitor;
const open: ConvexClient[] = [];

beforeAll(async () => {
  bank = await openBank({ PROTECTED_ACCOUNT_EMAIL: DEMO.omar });
  root = await enter(bank, DEMO.admin);
  vera = await enter(bank, DEMO.vip);
  omar = await enter(bank, DEMO.omar);
}, TIMEOUT_MS);

afterAll(async () => {
  await Promise.all(open.map((client) => client.close()));
  await bank.close();
});

/** Connected and authenticated sockets of a person. */
async function sockets(person: Visitor): Promise<ConvexClient[]> {
  const clients = socketsOf(bank, person, SOCKETS);
  open.push(...clients);
  await Promise.all(clients.map((client) => client.query(api.viewer.get, {})));
  return clients;
}

/** `count` concurrent calls, spread over the connections. */
function concurrently<T>(
  clients: readonly ConvexClient[],
  count: number,
  call: (client: ConvexClient) => Promise<T>,
): Promise<T>[] {
  return Array.from({ length: count }, (_, index) => {
    const client = clients[index % clients.length];
    if (client === undefined) throw new Error("no connection");
    return call(client);
  });
}

const submit = (args: () => SubmitArgs) => (client: ConvexClient) =>
  client.mutation(api.transfers.submit, args());

async function expectSoundLedger(): Promise<void> {
  expect(await ledgerProblems(root)).toEqual([]);
}

test(
  "TH26 200 transfers of 60 from 100 on ten sockets: exactly one succeeds",
  async () => {
    await setChecking(root, DEMO.vip, 10_000n);
    const [, savings = 0n] = await balancesOf(vera);
    const sixty = submit(() => internalTransfer({ amountCents: 6_000n }));
    expect(await tally(concurrently(await sockets(vera), 200, sixty))).toEqual({
      ok: 1,
      INSUFFICIENT_FUNDS: 199,
    });
    expect(await balancesOf(vera)).toEqual([4_000n, savings + 6_000n]);
    await expectSoundLedger();
  },
  TIMEOUT_MS,
);

test(
  "TH27 1,000 first transfers on ten sockets: exactly two",
  async () => {
    const maya = await enter(bank, DEMO.maya);
    const [checking = 0n, savings = 0n] = await balancesOf(maya);
    const { used } = await maya.http.query(api.transfers.usage, {});
    expect(used).toBe(0);
    const cent = submit(() => internalTransfer({ amountCents: 1n }));
    expect(await tally(concurrently(await sockets(maya), 1_000, cent))).toEqual({
      ok: 2,
      TRANSFER_BLOCKED: 998,
    });
    expect(await balancesOf(maya)).toEqual([checking - 2n, savings + 2n]);
    expect((await maya.http.query(api.transfers.usage, {})).used).toBe(2);
    await expectSoundLedger();
  },
  TIMEOUT_MS,
);

test(
  "A to B and B to A, 500 each: nothing is lost or doubled",
  async () => {
    await setChecking(root, DEMO.vip, 1_000_000n);
    await setChecking(root, DEMO.omar, 1_000_000n);
    const counts = await tally([
      ...concurrently(
        await sockets(vera),
        500,
        submit(() => userTransfer(DEMO.omar, { amountCents: 7n })),
      ),
      ...concurrently(
        await sockets(omar),
        500,
        submit(() => userTransfer(DEMO.vip, { amountCents: 5n })),
      ),
    ]);
    expect(counts).toEqual({ ok: 1_000 });
    const [ofVera, ofOmar] = [(await balancesOf(vera))[0], (await balancesOf(omar))[0]];
    expect([ofVera, ofOmar]).toEqual([1_000_000n - 1_000n, 1_000_000n + 1_000n]);
    await expectSoundLedger();
  },
  TIMEOUT_MS,
);

test(
  "one request key sent 100 times on ten sockets moves money once, and every call returns the same receipt",
  async () => {
    await setChecking(root, DEMO.vip, 10_000n);
    const [, savings = 0n] = await balancesOf(vera);
    const args = internalTransfer({ amountCents: 6_000n });
    const receipts = await Promise.all(
      concurrently(
        await sockets(vera),
        100,
        submit(() => args),
      ),
    );
    expect(new Set(receipts.map(({ transferId }) => transferId)).size).toBe(1);
    expect(await balancesOf(vera)).toEqual([4_000n, savings + 6_000n]);
    await expectSoundLedger();
  },
  TIMEOUT_MS,
);

test(
  "concurrent approval and rejection: one wins and the other is refused",
  async () => {
    const applicant = await root.http.mutation(api.admin.users.findByEmail, { email: DEMO.lena });
    if (applicant === null) throw new Error("no applicant");
    const { userId } = applicant;
    const [one, other] = await sockets(root);
    if (one === undefined || other === undefined) throw new Error("no connection");
    const counts = await tally([
      one.mutation(api.admin.registrations.approve, { userId }),
      other.mutation(api.admin.registrations.reject, { userId, reason: "Not enough documents" }),
    ]);
    expect(counts.ok).toBe(1);
    expect(Object.keys(counts)).toHaveLength(2);
    const person = await root.http.query(api.admin.users.get, { userId });
    expect(person?.accounts).toHaveLength(person?.status === "rejected" ? 0 : 2);
    await expectSoundLedger();
  },
  TIMEOUT_MS,
);

test(
  "the same row deleted 50 times on ten sockets: one reversal",
  async () => {
    const before = await balancesOf(vera);
    await vera.http.mutation(api.transfers.submit, internalTransfer({ amountCents: 100n }));
    const [row] = await vera.http.query(api.transactions.recent, {});
    const transactionId = row?._id ?? "";
    const remove = (client: ConvexClient) =>
      client.mutation(api.admin.transactions.remove, { transactionId });
    expect(await tally(concurrently(await sockets(root), 50, remove))).toEqual({
      ok: 1,
      TRANSACTION_NOT_FOUND: 49,
    });
    expect(await balancesOf(vera)).toEqual(before);
    await expectSoundLedger();
  },
  TIMEOUT_MS,
);
