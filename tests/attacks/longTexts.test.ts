/**
 * Texts that take long to process: everybody shares one event loop, and a function that blocks it for
 * seconds ends the process. Tried on every text argument of every public function, and on the names that a
 * caller chooses, which end up in messages of failures.
 *
 * The CPU time of the process is measured, which does not depend on other programs on the machine.
 */
import { convexToJson, type Value } from "convex/values";
import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import {
  publicFunctions,
  sampleOf,
  type BuiltFunction,
  type ValidatorJson,
} from "../conformance/publicFunctions";
import { DEMO, enter, openBank, type Bank, type Visitor } from "./bank";
import { as, call, post, someId, wireTransfer } from "./wireCalls";

const TIMEOUT_MS = 120_000;
/** A password hash, the most expensive work of any call, takes a tenth of this. */
const CALL_MAX_MS = 2_000;

/** Combining marks in non-canonical order: normalising them takes quadratic time. */
const MARKS = `a${"\u0301".repeat(50_000)}${"\u0316".repeat(50_000)}@b.example`;

let bank: Bank;
let root: Visitor;
let maya: Visitor;

beforeAll(async () => {
  bank = await openBank();
  root = await enter(bank, DEMO.admin);
  maya = await enter(bank, DEMO.maya);
}, TIMEOUT_MS);

afterAll(() => bank.close());

const idOf = (tableName: string) => someId(bank, tableName);

/** Values that the validator accepts, each with `text` in a different place, including optional fields. */
function* valuesWith(text: string, validator: ValidatorJson): Generator<unknown> {
  switch (validator.type) {
    case "string":
      yield text;
      return;
    case "array":
      for (const inner of valuesWith(text, validator.value)) yield [inner];
      return;
    case "record":
      for (const inner of valuesWith(text, validator.values.fieldType)) yield { email: inner };
      return;
    case "union":
      for (const member of validator.value) yield* valuesWith(text, member);
      return;
    case "object": {
      const sample = sampleOf(validator, idOf) as object;
      for (const [name, { fieldType }] of Object.entries(validator.value)) {
        for (const inner of valuesWith(text, fieldType)) yield { ...sample, [name]: inner };
      }
      return;
    }
    default:
  }
}

/** CPU time of the process during the call, in ms. */
async function computedMs(
  { path, kind }: Pick<BuiltFunction, "path" | "kind">,
  args: object,
  headers: Record<string, string>,
): Promise<number> {
  const before = process.cpuUsage();
  await post(bank, kind, call(path, args), headers);
  return process.cpuUsage(before).user / 1000;
}

const headersFor = ({ guard }: BuiltFunction) =>
  guard === "public" ? {} : as(guard === "admin" ? root : maya);

/** Valid calls where the samples would be refused before the text is processed. */
const VALID_CALLS = [
  {
    path: "transfers:submit",
    kind: "mutation",
    args: wireTransfer({ transferType: "user", toAccount: undefined, recipientEmail: MARKS }),
  },
  {
    path: "transfers:submit",
    kind: "mutation",
    args: wireTransfer({ reference: MARKS }),
  },
  {
    path: "auth:signIn",
    kind: "action",
    args: { provider: "password", params: { flow: "signIn", email: MARKS, password: MARKS } },
  },
  {
    path: "auth:signIn",
    kind: "action",
    args: { provider: "password", params: { flow: "signUp", email: MARKS, password: MARKS } },
  },
] as const;

test(
  "no text argument takes seconds to process",
  async () => {
    const slow: string[] = [];
    for (const { args, ...named } of VALID_CALLS) {
      const spentMs = await computedMs(named, args, as(maya));
      if (spentMs > CALL_MAX_MS) slow.push(named.path);
    }
    for (const built of await publicFunctions()) {
      for (const args of valuesWith(MARKS, built.args)) {
        const wire = convexToJson(args as Value) as object;
        const spentMs = await computedMs(built, wire, headersFor(built));
        if (spentMs > CALL_MAX_MS) slow.push(built.path);
      }
    }
    expect(slow).toEqual([]);
    // Nobody was signed out meanwhile; otherwise the texts would not have been processed.
    for (const { http } of [maya, root]) {
      expect(await http.query(api.auth.isAuthenticated, {})).toBe(true);
    }
  },
  TIMEOUT_MS * 10,
);

/** What lines of messages, frames of stacks and paths are recognised by, and what patterns repeat. */
const PIECES = ["\n", "/", "file:///", "/a.js:1:1", "\n    at /", "\n\nObject: ", "(", " "];
const NAME_CHARS = 400_000;

test(
  "neither does the name of a function, a field or a value, however long",
  async () => {
    for (const piece of PIECES) {
      const name = piece.repeat(NAME_CHARS / piece.length);
      const tried = [
        [{ path: name, kind: "query" }, {}],
        [{ path: "viewer:get", kind: "query" }, { [name]: 1 }],
        [{ path: "viewer:get", kind: "query" }, { a: name }],
        [{ path: "contact:send", kind: "mutation" }, { [name]: 1 }],
        [{ path: "auth:signIn", kind: "action" }, { provider: name }],
      ] as const;
      for (const [named, args] of tried) {
        const spentMs = await computedMs(named, args, {});
        expect(spentMs, JSON.stringify(piece)).toBeLessThan(CALL_MAX_MS);
      }
    }
  },
  TIMEOUT_MS,
);
