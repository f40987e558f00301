import { makeFunctionReference } from "convex/server";
import type { Value } from "convex/values";
import { describe, expect, test } from "vitest";
import schema from "../../convex/schema";
import { isAppErrorData } from "../../convex/shared/errors";
import { embeddedTest } from "../../embedded/testing";
import {
  MODULES,
  addCodes,
  person,
  snapshot,
  stubEnvironment,
  type Backend,
} from "../convex/support";
import { stubAuthKeys } from "../convex/authKeys";
import { IDENTITIES, makeIdentities, type IdentityName } from "./identities";
import { publicFunctions, sampleOf, type BuiltFunction } from "./publicFunctions";

/** The refusals of the guards; any other outcome means that the caller passed. */
const GUARD_CODES = [
  "NOT_SIGNED_IN",
  "NOT_APPROVED",
  "OTP_REQUIRED",
  "NOT_ADMIN",
  "PASSWORD_CHANGE_REQUIRED",
] as const;
type Outcome = (typeof GUARD_CODES)[number] | "passes";

const NOBODY: IdentityName[] = ["visitor", "wrong token", "signed-out token"];
const BEFORE_CODE: IdentityName[] = ["password step only", "admin without second step"];
/** Pending and rejected people whose password staff set. */
const DUE: IdentityName[] = ["pending, password due", "rejected, password due"];
const NOT_ACCEPTED: IdentityName[] = ["pending", "rejected", ...DUE];

/** Functions of the password step that check more than the session. */
const SESSION_RULES: Record<string, (identity: IdentityName) => Outcome> = {
  "otp:verifyLogin": (identity) => (NOT_ACCEPTED.includes(identity) ? "NOT_APPROVED" : "passes"),
  "registrations:mine": ownRegistration,
  "registrations:answerInformation": ownRegistration,
};

function ownRegistration(identity: IdentityName): Outcome {
  if (BEFORE_CODE.includes(identity)) return "OTP_REQUIRED";
  return DUE.includes(identity) ? "PASSWORD_CHANGE_REQUIRED" : "passes";
}

/** The access matrix: what each identity gets from a function with a given guard. */
function expected({ guard, path }: BuiltFunction, identity: IdentityName): Outcome {
  if (guard === "public") return "passes";
  if (NOBODY.includes(identity)) return "NOT_SIGNED_IN";
  if (guard === "session") {
    const rule = SESSION_RULES[path];
    if (rule === undefined) throw new Error(`${path} is missing from the matrix`);
    return rule(identity);
  }
  // The only function that is open to them, and to nobody else without a code.
  if (guard === "passwordChange" && DUE.includes(identity)) return "passes";
  if (NOT_ACCEPTED.includes(identity)) return "NOT_APPROVED";
  if (BEFORE_CODE.includes(identity)) return "OTP_REQUIRED";
  if (guard === "admin" && identity !== "admin") return "NOT_ADMIN";
  return "passes";
}

/** Ids for the generated arguments: a victim's where there is one, else of a deleted document. */
async function idsOf(t: Backend): Promise<(tableName: string) => string> {
  const victim = await person(t, "victim@bank.example", {
    role: "pending",
    status: "pending",
    hasPassedCode: false,
  });
  const { userId } = victim;
  await addCodes(t, "123456");
  const ids = await t.run(async (ctx) => {
    const nowMs = 1;
    const [code] = await ctx.db.query("otpCodes").take(1);
    const requestId = await ctx.db.insert("infoRequests", {
      userId,
      requestDetails: "x",
      status: "pending",
      createdAt: nowMs,
    });
    const messageId = await ctx.db.insert("contactMessages", {
      reference: "x",
      name: "x",
      email: "x",
      subject: "general",
      message: "x",
      preferredContact: "email",
      createdAt: nowMs,
      isHandled: false,
    });
    const mailId = await ctx.db.insert("outbox", {
      ...{ to: "x", subject: "x", body: "x", createdAt: nowMs },
      ...{ status: "failed", attempts: 12, nextAttemptAt: nowMs },
    });
    const [account] = await ctx.db.query("accounts").take(1);
    const batchId = await ctx.db.insert("transactionBatches", {
      userId,
      createdBy: "x",
      createdAt: nowMs,
      count: 0,
      updateBalance: false,
    });
    const jobId = await ctx.db.insert("jobs", {
      kind: "removeTransactions",
      actorId: userId,
      startedAt: nowMs,
      doneCount: 0,
      skippedCount: 0,
      erroredCount: 0,
      finishedAt: nowMs,
    });
    return {
      users: userId,
      otpCodes: code?._id ?? "",
      infoRequests: requestId,
      contactMessages: messageId,
      outbox: mailId,
      accounts: account?._id ?? "",
      transactionBatches: batchId,
      jobs: jobId,
    };
  });
  return (tableName) => {
    const id = (ids as Record<string, string>)[tableName];
    if (id === undefined) throw new Error(`No sample id of ${tableName}: add one above`);
    return id;
  };
}

type Client = Pick<Backend, "query" | "mutation" | "action">;

async function call(client: Client, built: BuiltFunction, args: unknown): Promise<Outcome> {
  const { path, kind } = built;
  const values = args as Record<string, Value>;
  try {
    if (kind === "query") await client.query(makeFunctionReference<"query">(path), values);
    if (kind === "mutation") await client.mutation(makeFunctionReference<"mutation">(path), values);
    if (kind === "action") await client.action(makeFunctionReference<"action">(path), values);
    return "passes";
  } catch (error) {
    const { data } = error as { data?: unknown };
    // After the guard only refusals of the catalogue are allowed; anything else is a bug.
    if (!isAppErrorData(data)) throw error;
    return GUARD_CODES.find((guardCode) => guardCode === data.code) ?? "passes";
  }
}

const functions = await publicFunctions();

describe("the access matrix", () => {
  test("covers every public function", () => {
    expect(functions.every(({ guard }) => guard !== undefined)).toBe(true);
  });

  test.each(functions.map((built) => [built.path, built] as const))(
    "%s accepts or refuses each of the fourteen identities by its guard, and a refusal changes nothing",
    async (_path, built) => {
      stubEnvironment();
      await stubAuthKeys();
      const t = embeddedTest(schema, MODULES);
      const identities = await makeIdentities(t);
      const args = sampleOf(built.args, await idsOf(t));
      const outcomes: Record<string, Outcome> = {};
      const isRefused = (identity: IdentityName) => expected(built, identity) !== "passes";
      const before = await snapshot(t);
      for (const identity of IDENTITIES.filter(isRefused)) {
        outcomes[identity] = await call(identities[identity], built, args);
      }
      expect(await snapshot(t)).toBe(before);
      for (const identity of IDENTITIES.filter((name) => !isRefused(name))) {
        outcomes[identity] = await call(identities[identity], built, args);
      }
      const wanted = IDENTITIES.map((identity) => [identity, expected(built, identity)]);
      expect(outcomes).toEqual(Object.fromEntries(wanted));
    },
  );
});
