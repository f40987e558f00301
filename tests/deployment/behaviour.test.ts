/**
 * Behaviour of every deployment, embedded or hosted Convex, tested through the official clients. Balances
 * are the same afterwards.
 */
import { randomUUID } from "node:crypto";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { DEMO, DEMO_CODES, DEMO_PASSWORD } from "../e2e/support/people";
import { passwordToken } from "../support/wireClient";

// People copy addresses with a slash at the end; the official client puts its paths right behind it.
const url = (process.env.CONVEX_URL ?? "").replace(/\/$/, "");
const email = process.env.TEST_EMAIL ?? DEMO.vip;
const password = process.env.TEST_PASSWORD ?? DEMO_PASSWORD;
const code = process.env.TEST_CODE ?? DEMO_CODES[0];
const pagesOrigin = new URL(process.env.PAGES_URL ?? url).origin;
const actionsUrl = process.env.CONVEX_SITE_URL ?? url.replace(".convex.cloud", ".convex.site");

let member: ConvexHttpClient;
let token = "";

beforeAll(async () => {
  token = await passwordToken(url, email, password).catch((cause: unknown) => {
    const next = "load the demo data, or set TEST_EMAIL, TEST_PASSWORD and TEST_CODE";
    throw new Error(`${email} cannot sign in: ${next}.`, { cause });
  });
  member = new ConvexHttpClient(url, { logger: false });
  member.setAuth(token);
});

const refusal = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "no refusal",
    (error: unknown) => (error as { data?: { code?: string } }).data?.code ?? String(error),
  );

const balances = async (): Promise<Record<string, bigint>> =>
  Object.fromEntries(
    (await member.query(api.accounts.listMine, {})).map(({ type, balanceCents }) => [
      type,
      balanceCents,
    ]),
  );

const cent = (from: "Checking" | "Savings", requestKey: string = randomUUID()) => ({
  transferType: "internal" as const,
  fromAccount: from,
  toAccount: from === "Checking" ? ("Savings" as const) : ("Checking" as const),
  amountCents: 1n,
  reference: "deployment test",
  requestKey,
});

test("a visitor has no identity, and is refused by functions for members", async () => {
  const visitor = new ConvexHttpClient(url, { logger: false });
  expect(await visitor.query(api.viewer.get, {})).toBeNull();
  expect(await refusal(visitor.query(api.accounts.listMine, {}))).toBe("NOT_SIGNED_IN");
  await expect(visitor.query("no:such" as unknown as typeof api.viewer.get, {})).rejects.toThrow();
});

test("CORS allows only the product's pages to send pictures of checks", async () => {
  const ask = async (origin: string): Promise<string | null> => {
    const headers = { origin, "access-control-request-method": "POST" };
    const target = new URL("/api/deposit-images?side=front", actionsUrl);
    const answer = await fetch(target, { method: "OPTIONS", headers });
    return answer.headers.get("access-control-allow-origin");
  };
  expect(await ask(pagesOrigin)).toBe(pagesOrigin);
  expect(await ask("https://evil.example")).toBeNull();
});

test("figures about the server are not for strangers", async () => {
  // What a proxy adds: the embedded backend gives them to its own machine.
  const headers = { "x-forwarded-for": "203.0.113.9" };
  for (const host of [url, actionsUrl, pagesOrigin]) {
    const response = await fetch(new URL("/metrics", host), { headers });
    expect(await response.text()).not.toMatch(/^# (HELP|TYPE) /m);
  }
});

test("the password alone gives no access; the one-time code does", async () => {
  expect(await refusal(member.query(api.accounts.listMine, {}))).toBe("OTP_REQUIRED");
  expect(await member.mutation(api.otp.verifyLogin, { code })).toMatchObject({ ok: true });
  expect(await member.query(api.viewer.get, {})).not.toBeNull();
});

test("a transfer sent several times moves money once, is seen live, and is sent back", async () => {
  const before = await balances();
  const client = new ConvexClient(url, { logger: false });
  onTestFinished(() => client.close());
  client.setAuth(async () => token);
  const args = cent("Checking");
  const arrived = new Promise<void>((resolve) => {
    client.onUpdate(api.accounts.listMine, {}, (accounts) => {
      const checking = accounts.find(({ type }) => type === "Checking");
      if (checking?.balanceCents === (before.Checking ?? 0n) - 1n) resolve();
    });
  });
  const receipts = await Promise.all(
    Array.from({ length: 5 }, () => client.mutation(api.transfers.submit, args)),
  );
  expect(new Set(receipts.map(({ transferId }) => transferId)).size).toBe(1);
  await arrived;
  await client.mutation(api.transfers.submit, cent("Savings"));
  expect(await balances()).toEqual(before);
});

test("an invalid transfer is refused with its code and changes nothing", async () => {
  const before = await balances();
  const tooMuch = { ...cent("Checking"), amountCents: (before.Checking ?? 0n) + 1n };
  expect(await refusal(member.mutation(api.transfers.submit, tooMuch))).toBe("INSUFFICIENT_FUNDS");
  const nothing = { ...cent("Checking"), amountCents: 0n };
  expect(await refusal(member.mutation(api.transfers.submit, nothing))).not.toBe("no refusal");
  expect(await balances()).toEqual(before);
});

test("a wrong argument and an administrators' function are refused", async () => {
  const wrong = { ...cent("Checking"), amountCents: "1" as unknown as bigint };
  expect(await refusal(member.mutation(api.transfers.submit, wrong))).not.toBe("no refusal");
  const list = member.query(api.admin.users.list, {
    paginationOpts: { numItems: 5, cursor: null },
  });
  expect(await refusal(list)).toBe("NOT_ADMIN");
});
