/**
 * The product as `npm start` serves it (same options, demo people, files on disk), in this process on
 * a free port, and people who use it through the official clients.
 */
import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import type { FunctionArgs } from "convex/server";
import { inject } from "vitest";
import { api } from "../../convex/_generated/api";
import { bundleFunctions, serve, type RunningServer, type ServeOptions } from "../../embedded/main";
import { DEMO, DEMO_CODES } from "../e2e/support/people";
import { passwordToken } from "../support/wireClient";
import { ROOT } from "../support/sources";

interface Product {
  productOptions(
    backend: object,
    options: Pick<ServeOptions, "functions" | "staticDir" | "port" | "host"> & {
      readonly dataDir: string;
      readonly isDemo: boolean;
      readonly log: (line: string) => void;
    },
  ): Promise<ServeOptions>;
}

export interface Bank {
  readonly origin: string;
  readonly server: RunningServer;
  /** Folder with all data of the bank. */
  readonly dataDir: string;
  readonly logLines: readonly string[];
  /** PEM of the key that signs this bank's tokens, for forged tokens that differ in one claim only. */
  readonly signingKeyPem: string;
  close(): Promise<void>;
}

/** Of this worker alone. */
const FOLDER = path.join(inject("runFolder"), String(process.pid));
const BUNDLE = path.join(FOLDER, "functions");
const DEMO_DATA = path.join(FOLDER, "data");

let bundle: Promise<unknown> | null = null;
let demoData: Promise<void> | null = null;

/** Makes `dataDir` the folder of a stopped bank with the demo people, created once per worker. */
export async function copyDemoData(dataDir: string): Promise<void> {
  demoData ??= openBank({}, {}, DEMO_DATA).then((bank) => bank.close());
  await demoData;
  cpSync(DEMO_DATA, dataDir, { recursive: true });
}

/**
 * Starts a bank with the demo people. `env` is the functions' environment on top of the demo's, in which its
 * people are created. A given `dataDir` is kept when the bank closes.
 */
export async function openBank(
  env: Record<string, string> = {},
  changes: Partial<ServeOptions> = {},
  dataDir?: string,
): Promise<Bank> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "attacked-bank-"));
  if (dataDir === undefined && Object.keys(env).length === 0) await copyDemoData(dir);
  // A copy for each bank: Node would not evaluate the same file again, and modules read `env` when they load.
  const bundleDir = path.join(FOLDER, path.basename(dir));
  bundle ??= bundleFunctions(path.join(ROOT, "convex"), BUNDLE);
  await bundle;
  cpSync(BUNDLE, bundleDir, { recursive: true });
  const removeFolders = (): void =>
    [dir, bundleDir].forEach((folder) => rmSync(folder, { recursive: true, force: true }));
  const logLines: string[] = [];
  const backend = await import("../../embedded/main");
  const productUrl = pathToFileURL(path.join(ROOT, "scripts", "lib", "product.mjs")).href;
  const product = (await import(productUrl)) as Product;
  const options = await product.productOptions(backend, {
    functions: { bundleDir },
    staticDir: null,
    port: 0,
    host: "127.0.0.1",
    dataDir: dataDir ?? dir,
    isDemo: true,
    log: (line) => void logLines.push(line),
  });
  const server = await serve({
    ...options,
    watchdogMs: null,
    fixedEnv: { ...options.fixedEnv, ...env },
    ...changes,
  }).catch((error: unknown) => {
    removeFolders();
    throw error;
  });
  return {
    origin: server.origin,
    server,
    dataDir: dataDir ?? dir,
    logLines,
    signingKeyPem: options.fixedEnv?.JWT_PRIVATE_KEY ?? "",
    async close() {
      await server.close();
      removeFolders();
    },
  };
}

/** Somebody who passed both steps of sign-in (with `code` null only the first), over HTTP. */
export interface Visitor {
  readonly http: ConvexHttpClient;
  readonly token: string;
}

export function httpClient(bank: Bank, token?: string): ConvexHttpClient {
  const http = new ConvexHttpClient(bank.origin, { logger: false });
  if (token !== undefined) http.setAuth(token);
  return http;
}

export async function enter(
  bank: Bank,
  email: string,
  code: string | null = DEMO_CODES[0],
): Promise<Visitor> {
  const token = await passwordToken(bank.origin, email);
  const http = httpClient(bank, token);
  if (code !== null) {
    const verified = await http.mutation(api.otp.verifyLogin, { code });
    if (!verified.ok) throw new Error(`code refused for ${email}: ${verified.message}`);
  }
  return { http, token };
}

/** Several connections of one person, for concurrent calls. */
export function socketsOf(bank: Bank, { token }: Visitor, count: number): ConvexClient[] {
  return Array.from({ length: count }, () => {
    const client = new ConvexClient(bank.origin, { logger: false });
    client.setAuth(async () => token);
    return client;
  });
}

/** "ok", the code of the refusal, or the message of another failure. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "ok";
  } catch (error) {
    const { data } = error as { data?: unknown };
    if (typeof data === "object" && data !== null && "code" in data) return String(data.code);
    return error instanceof Error ? error.message : String(error);
  }
}

/** Number of calls per outcome. */
export async function tally(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.all(calls.map(outcomeOf))) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

export type SubmitArgs = FunctionArgs<typeof api.transfers.submit>;

/** A valid transfer between own accounts, with changes and a new request key. */
export const internalTransfer = (changes: Partial<SubmitArgs> = {}): SubmitArgs => ({
  transferType: "internal",
  fromAccount: "Checking",
  toAccount: "Savings",
  amountCents: 100n,
  reference: "attack",
  requestKey: randomUUID(),
  ...changes,
});

/** Sends money to another person. */
export const sendTo = ({ http }: Visitor, recipientEmail: string, amountCents: bigint) =>
  http.mutation(api.transfers.submit, {
    ...internalTransfer({ amountCents }),
    transferType: "user",
    toAccount: undefined,
    recipientEmail,
  });

/** A valid transfer to another person of the bank. */
export const userTransfer = (
  recipientEmail: string,
  changes: Partial<SubmitArgs> = {},
): SubmitArgs => ({
  transferType: "user",
  fromAccount: "Checking",
  recipientEmail,
  amountCents: 100n,
  reference: "attack",
  requestKey: randomUUID(),
  ...changes,
});

/** Balances in cents: `[checking, savings]`, equal to what is available. */
export async function balancesOf({ http }: Visitor): Promise<bigint[]> {
  const accounts = await http.query(api.accounts.listMine, {});
  const cents = (type: string) => accounts.find((each) => each.type === type)?.balanceCents ?? -1n;
  return [cents("Checking"), cents("Savings")];
}

/** Tables of counters, which an attack may change, and tables that the bank writes by itself. */
const COUNTERS = [
  "rateBuckets",
  "passwordAttempts",
  "otpAttempts",
  "otpSessionAttempts",
  "ledgerChecks",
];

/** Every document of the functions' tables, as text: equal when nothing was written. */
export function stateOf(bank: Bank): string {
  const { db } = bank.server.backend;
  const txn = db.beginQuery();
  try {
    const parts: string[] = [];
    for (const { name } of db.tables()) {
      if (name.startsWith("_") || COUNTERS.includes(name)) continue;
      const source = { type: "FullTableScan", tableName: name, order: null } as const;
      const stream = txn.openStream({ source, operators: [] });
      for (let row = stream.next(); row !== null; row = stream.next()) parts.push(row.json);
      stream.close();
    }
    return parts.join("\n");
  } finally {
    txn.close();
  }
}

/** Runs the administrator's ledger check to its end; returns its problems. */
export async function ledgerProblems(root: Visitor): Promise<readonly string[]> {
  const client = new ConvexClient(root.http.url, { logger: false });
  client.setAuth(async () => root.token);
  try {
    const before = (await root.http.query(api.admin.health.get, {})).ledger?.checkedAt;
    const checked = new Promise<readonly string[]>((resolve, reject) => {
      client.onUpdate(
        api.admin.health.get,
        {},
        ({ ledger }) => {
          // Not later than `before` if that run was made while a test had moved the clock.
          if (ledger !== null && ledger.checkedAt !== before) resolve(ledger.problems);
        },
        reject,
      );
    });
    await root.http.mutation(api.admin.health.runLedgerCheck, {});
    return await checked;
  } finally {
    await client.close();
  }
}

/** Sets a person's balance, as an administrator. */
export async function setChecking(root: Visitor, email: string, cents: bigint): Promise<void> {
  const person = await root.http.mutation(api.admin.users.findByEmail, { email });
  if (person === null) throw new Error(`nobody is ${email}`);
  const details = await root.http.query(api.admin.users.get, { userId: person.userId });
  const account = details?.accounts.find(({ type }) => type === "Checking");
  if (account === undefined) throw new Error(`${email} has no checking account`);
  await root.http.mutation(api.admin.accounts.update, {
    accountId: account._id,
    accountNumber: account.accountNumber,
    routingNumber: account.routingNumber,
    balanceCents: cents,
    availableCents: cents,
  });
}

export { DEMO, DEMO_CODES };
