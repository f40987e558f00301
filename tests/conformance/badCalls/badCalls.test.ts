/**
 * Random calls to every public function, as everybody from a visitor to an administrator: no invalid call
 * is accepted, every refusal is one of the catalogue or the official message for wrong arguments, and a
 * refusal changes nothing. TEST_SCALE=100 makes it 100,000 calls over the wire and 1,000,000 direct ones;
 * TEST_SEED repeats a run.
 */
import { convexToJson, type JSONValue, type Value } from "convex/values";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAppErrorData } from "../../../convex/shared/errors";
import { newRequestId } from "../../../embedded/runtime/execution";
import type { Identity } from "../../../embedded/runtime/identity";
import {
  DEMO,
  enter,
  internalTransfer,
  openBank,
  stateOf,
  userTransfer,
  type Bank,
} from "../../attacks/bank";
import { Dice, SCALE, seedOfRun } from "../../support/chance";
import { publicFunctions, type BuiltFunction } from "../publicFunctions";
import { accepts, spoil, type Json } from "./generate";

const WIRE_CALLS = SCALE === 1 ? 500 : Math.round(1_000 * SCALE);
const FUNCTION_CALLS = SCALE === 1 ? 4_000 : Math.round(10_000 * SCALE);
const TIMEOUT_MS = 120_000 + (WIRE_CALLS + FUNCTION_CALLS) * 20;
/** Few, because actions hash passwords. */
const ACTION_PROBABILITY = 0.004;
const REENTER_CALLS = 10_000;
/** The library's message for an invalid page size. */
const OFFICIAL_PAGE = /`options\.numItems` must be/;
/** The official messages for arguments of a wrong type, or that are no Convex values at all. */
const OFFICIAL =
  /ArgumentValidationError|is not a valid Convex|Field name|Unsupported|not well-formed/;

let bank: Bank;
let functions: BuiltFunction[] = [];
/** A visitor, members and an administrator, with their tokens. */
let callers: { readonly token: string | null; readonly identity: Identity }[] = [];
/** The newest document of each table. */
const ids = new Map<string, string>();
const idOf = (tableName: string): string => ids.get(tableName) ?? "none";
const seed = seedOfRun();

/** Signs everybody in; repeated, because random calls sign people out. */
async function signInAll(): Promise<typeof callers> {
  const { authenticator } = bank.server.backend;
  const people = [await enter(bank, DEMO.admin), await enter(bank, DEMO.maya)];
  people.push(await enter(bank, DEMO.vip), await enter(bank, DEMO.lena, null));
  const entered: typeof callers = [{ token: null, identity: { kind: "none" } }];
  for (const { token } of people) {
    entered.push({ token, identity: await authenticator.userFromToken(token) });
  }
  return entered;
}

beforeAll(async () => {
  bank = await openBank({}, { isRedacting: false, onLogLine: () => undefined });
  functions = (await publicFunctions()).flatMap((one) => Array<typeof one>(shareOf(one)).fill(one));
  callers = await signInAll();
  const { db } = bank.server.backend;
  const txn = db.beginQuery();
  for (const { name } of db.tables()) {
    if (name.startsWith("_")) continue;
    const source = { type: "FullTableScan", tableName: name, order: "desc" } as const;
    const row = txn.openStream({ source, operators: [{ limit: 1 }] }).next();
    if (row !== null) ids.set(name, row.id);
  }
  txn.close();
}, TIMEOUT_MS);

afterAll(() => bank.close());

/** Valid arguments for functions that move money, so that the changed value is the only invalid one. */
const GOOD: Readonly<Record<string, (requestKey: string) => Json>> = {
  "transfers:submit": (requestKey) =>
    requestKey.endsWith("0")
      ? internalTransfer({ requestKey })
      : userTransfer(DEMO.omar, { amountCents: 1n, requestKey }),
  "billPayments:schedule": (requestKey) => ({
    fromAccount: "Checking",
    provider: "water",
    accountNumber: "123",
    amountCents: 1n,
    scheduleDate: "2099-01-01",
    requestKey,
  }),
};

/** How often a function is drawn: those that move money are few, and their sums the worst to get wrong. */
const shareOf = ({ path }: BuiltFunction): number => (path in GOOD ? 10 : 1);

interface Call {
  readonly built: BuiltFunction;
  readonly args: Json;
  readonly caller: (typeof callers)[number];
  readonly isValid: boolean;
  readonly mustRefuse: boolean;
}

function callOf(dice: Dice): Call {
  const isAction = dice.isHit(ACTION_PROBABILITY);
  const built = dice.of(functions.filter(({ kind }) => (kind === "action") === isAction));
  const good = dice.isHit(0.7) ? (GOOD[built.path]?.(String(dice.below(2 ** 31))) ?? null) : null;
  const { args, mustRefuse } = spoil(dice, built.args, good, [...ids.values()], idOf);
  const { db } = bank.server.backend;
  const txn = db.beginQuery();
  const isValid = accepts(built.args, args, (id) => txn.tableOf(id));
  txn.close();
  return { built, args, caller: dice.of(callers), isValid, mustRefuse };
}

interface Answer {
  readonly isAccepted: boolean;
  readonly data?: unknown;
  readonly text: string;
}

/** What is wrong with an answer, or null. */
function problemWith(call: Call, answer: Answer): string | null {
  if (answer.isAccepted) {
    if (!call.isValid) return "accepted although its validator refuses it";
    return call.mustRefuse && call.built.kind === "mutation" ? "accepted a bad sum" : null;
  }
  // The library's error for a cursor of another query: clients start over from the first page.
  if (isInvalidCursor(answer.data)) return call.isValid ? null : "a refusal before its arguments";
  if (isAppErrorData(answer.data)) return call.isValid ? null : "a refusal before its arguments";
  if (OFFICIAL_PAGE.test(answer.text)) return null;
  return OFFICIAL.test(answer.text) && !call.isValid ? null : `an untyped error: ${answer.text}`;
}

const isInvalidCursor = (data: unknown): boolean =>
  typeof data === "object" &&
  data !== null &&
  "paginationError" in data &&
  data.paginationError === "InvalidCursor";

const describeCall = ({ built, args }: Call): string =>
  `${built.path} ${JSON.stringify(args, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  ).slice(0, 600)}`;

function expectNoProblem(call: Call, answer: Answer, number: number): void {
  const wrong = problemWith(call, answer);
  if (wrong !== null)
    throw new Error(`TEST_SEED=${seed} #${number} ${describeCall(call)}: ${wrong}`);
}

function encoded(args: Json): JSONValue | null {
  try {
    return convexToJson(args as Record<string, Value>);
  } catch {
    // No client can send these arguments.
    return null;
  }
}

async function callFunction(call: Call, args: JSONValue): Promise<Answer> {
  const { runtime } = bank.server.backend;
  const request = {
    requestId: newRequestId(),
    ip: "192.0.2.7",
    userAgent: null,
    authToken: call.caller.token,
    scheduledFunctionId: null,
  };
  const { identity } = call.caller;
  const clientCall = { path: call.built.path, args, identity, request, mayCallInternal: false };
  const outcome =
    call.built.kind === "mutation"
      ? await runtime.startClientMutation(clientCall).outcome
      : call.built.kind === "action"
        ? await runtime.executeClientAction(clientCall)
        : (await runtime.executeClientQuery(clientCall, runtime.db.beginQuery(), null)).result;
  if ("json" in outcome) return { isAccepted: true, text: "" };
  return { isAccepted: false, text: outcome.failure.text, data: outcome.failure.data };
}

test(
  "called directly: no invalid call is accepted, every refusal is typed, and none changes data",
  async () => {
    process.stdout.write(`bad calls: TEST_SEED=${seed}, ${FUNCTION_CALLS} at the functions\n`);
    const { db } = bank.server.backend;
    let accepted = 0;
    let typed = 0;
    for (let number = 0; number < FUNCTION_CALLS; number++) {
      // By then somebody may have been signed out, or be somebody else.
      if (number % REENTER_CALLS === REENTER_CALLS - 1)
        callers = await signInAll().catch(() => callers);
      const call = callOf(new Dice(seed + number));
      const args = encoded(call.args);
      if (args === null) continue;
      if (call.isValid) typed += 1;
      const ts = db.latestTs;
      const answer = await callFunction(call, args);
      expectNoProblem(call, answer, number);
      if (answer.isAccepted) accepted += 1;
      // A refusal may only write counters of attempts: repeat the call and compare the state before and after.
      else if (db.latestTs !== ts) {
        const before = stateOf(bank);
        const again = await callFunction(call, args);
        if (!again.isAccepted && stateOf(bank) !== before) {
          throw new Error(
            `TEST_SEED=${seed} #${number} ${describeCall(call)}: a refusal changed something`,
          );
        }
      }
    }
    process.stdout.write(
      `bad calls: ${typed} of the right types, ${accepted} harmless and accepted\n`,
    );
    expect(accepted).toBeLessThan(FUNCTION_CALLS / 2);
  },
  TIMEOUT_MS,
);

/** The expected answer to an expired token: a long run outlives its tokens. */
const EXPIRED: Answer = { isAccepted: false, text: "", data: null };

function isExpired(token: string): boolean {
  const { exp } = decodeJwt(token);
  return exp !== undefined && exp * 1000 <= Date.now();
}

/** Sends a call, and again when the server has just closed the idle connection: judged like any other. */
async function send(url: string, request: RequestInit): Promise<Response> {
  const isReset = (error: unknown): boolean =>
    error instanceof TypeError &&
    CLOSED.has((error.cause as { code?: string } | undefined)?.code ?? "");
  return await fetch(url, request).catch((error: unknown) => {
    if (!isReset(error)) throw error;
    resets += 1;
    return fetch(url, request);
  });
}
let resets = 0;
/** Error codes of `fetch` when the server has closed the connection. */
const CLOSED: ReadonlySet<string> = new Set(["ECONNRESET", "UND_ERR_SOCKET"]);

async function post(call: Call, args: JSONValue): Promise<Answer> {
  const { token } = call.caller;
  const response = await send(`${bank.origin}/api/${call.built.kind}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ path: call.built.path, args: [args], format: "convex_encoded_json" }),
  });
  const body = (await response.json()) as {
    status?: string;
    code?: string;
    errorMessage?: string;
    errorData?: unknown;
  };
  if (response.status === 401 && token !== null && isExpired(token)) return EXPIRED;
  if (response.status !== 200) {
    return { isAccepted: false, text: `${response.status} ${body.code ?? ""}` };
  }
  if (body.status === "success") return { isAccepted: true, text: "" };
  return { isAccepted: false, text: body.errorMessage ?? "", data: body.errorData };
}

test(
  "over the wire: no invalid call is accepted, and every refusal is typed",
  async () => {
    process.stdout.write(`bad calls: TEST_SEED=${seed}, ${WIRE_CALLS} over the wire\n`);
    callers = await signInAll().catch(() => callers);
    let next = 0;
    let expired = 0;
    const lane = async (): Promise<void> => {
      while (next < WIRE_CALLS) {
        const number = next++;
        // By then somebody may have been signed out, or their tokens are old.
        if (number % REENTER_CALLS === REENTER_CALLS - 1)
          callers = await signInAll().catch(() => callers);
        const call = callOf(new Dice(seed - 1 - number));
        const args = encoded(call.args);
        if (args === null) continue;
        const answer = await post(call, args).catch((cause: unknown) => {
          throw new Error(`TEST_SEED=${seed} #${number} ${describeCall(call)}: no answer`, {
            cause,
          });
        });
        if (answer === EXPIRED) expired += 1;
        else expectNoProblem(call, answer, number);
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    process.stdout.write(
      `bad calls: ${next} sent, ${expired} after their token's end, ${resets} met a closed connection\n`,
    );
    expect(expired).toBeLessThan(WIRE_CALLS / 2);
    expect(resets).toBeLessThan(10 + WIRE_CALLS / 100);
  },
  TIMEOUT_MS,
);
