/**
 * A test backend with the deployment's environment, and people who are signed in.
 *
 * `person` writes through the product's own model functions; `as` is the same person's client.
 */
import { convexTest, type TestConvex } from "convex-test";
import type { FunctionArgs, WithoutSystemFields } from "convex/server";
import { vi } from "vitest";
import type { api } from "../../convex/_generated/api";
import type { Doc, Id } from "../../convex/_generated/dataModel";
import { openPair } from "../../convex/model/accounts";
import { openingBalance } from "../../convex/model/ledger";
import { addCode } from "../../convex/model/otpCodes";
import { createWithPassword } from "../../convex/model/users";
import schema from "../../convex/schema";
import { embeddedTest } from "../../embedded/testing";

export const MODULES = import.meta.glob(["../../convex/**/*.{ts,js}", "!../../convex/**/*.d.ts"]);

export type Backend = TestConvex<typeof schema>;

/** The environment that a deployment would have; protected e-mail: vip@bank.example. */
export function stubEnvironment(): void {
  vi.stubEnv("OTP_HMAC_KEY", "test-hmac-key-0123456789");
  vi.stubEnv("OTP_ENC_KEY", "test-encryption-key-0123456789");
  vi.stubEnv("PROTECTED_ACCOUNT_EMAIL", "vip@bank.example");
  vi.stubEnv("AUTH_LOG_LEVEL", "ERROR");
}

/** `npm run test:long` runs the same tests on the embedded backend, which has the limits that convex-test lacks. */
const makeBackend = process.env.TEST_BACKEND === "embedded" ? embeddedTest : convexTest;

/** A fresh, empty backend. */
export function newBackend(): Backend {
  stubEnvironment();
  return makeBackend(schema, MODULES);
}

type PersonOptions = Partial<WithoutSystemFields<Doc<"users">>> & {
  /** false: only the password step is done; "none": no session at all. */
  hasPassedCode?: boolean;
  checkingCents?: bigint;
  savingsCents?: bigint;
};

/** A person in the database, and their client. */
export type Person = {
  userId: Id<"users">;
  sessionId: Id<"authSessions">;
  email: string;
  as: ReturnType<Backend["withIdentity"]>;
};

/** Adds another session of a person; the second step is passed unless told otherwise. */
export async function signedIn(
  t: Backend,
  userId: Id<"users">,
  hasPassedCode = true,
): Promise<Pick<Person, "sessionId" | "as">> {
  const sessionId = await t.run(async (ctx) => {
    const user = await ctx.db.get("users", userId);
    const nowMs = Date.now();
    const id = await ctx.db.insert("authSessions", {
      userId,
      expirationTime: nowMs + 12 * 3_600_000,
    });
    if (hasPassedCode) {
      await ctx.db.insert("sessionFactors", {
        authSession: id,
        userId,
        handle: `handle-${id}`,
        passedAt: nowMs,
      });
      await ctx.db.insert("sessionActivity", {
        authSession: id,
        isAdmin: user?.role === "admin",
        lastActiveAt: nowMs,
      });
    }
    return id;
  });
  return { sessionId, as: t.withIdentity({ subject: `${userId}|${sessionId}` }) };
}

/** An approved member with both accounts, unless told otherwise. */
export async function person(
  t: Backend,
  email: string,
  options: PersonOptions = {},
): Promise<Person> {
  const { hasPassedCode = true, checkingCents = 0n, savingsCents = 0n, ...fields } = options;
  const userId = await t.run(async (ctx) => {
    const user = await createWithPassword(
      ctx,
      { email, role: "user", status: "approved", ...fields },
      "no-password",
    );
    if (user.status !== "approved" && user.status !== "active") return user._id;
    const nowMs = Date.now();
    for (const account of await openPair(ctx, user._id, nowMs)) {
      const cents = account.type === "Checking" ? checkingCents : savingsCents;
      const opening = { balanceCents: cents, availableCents: cents };
      await openingBalance(ctx, account, opening, nowMs);
    }
    return user._id;
  });
  return { userId, email, ...(await signedIn(t, userId, hasPassedCode)) };
}

/** An administrator after the second step. */
export async function admin(t: Backend, email = "root@bank.example"): Promise<Person> {
  return await person(t, email, { role: "admin", status: "active" });
}

/** Adds one-time codes to the institution's list. */
export async function addCodes(t: Backend, ...codes: string[]): Promise<void> {
  await t.run(async (ctx) => {
    for (const code of codes) await addCode(ctx, code, "test");
  });
}

const TABLES = Object.keys(schema.tables) as (keyof typeof schema.tables)[];

/**
 * Every document of every table as text, to prove that nothing changed. Counters of attempts are left
 * out, because a refusal may change them.
 */
export async function snapshot(t: Backend, except: readonly string[] = []): Promise<string> {
  return await t.run(async (ctx) => {
    const parts: string[] = [];
    for (const table of TABLES) {
      if (except.includes(table)) continue;
      // A test's tables are small enough to be read whole.
      const documents = await ctx.db.query(table).take(10_000);
      parts.push(
        JSON.stringify([table, documents], (_key, value: unknown) =>
          typeof value === "bigint" ? `${value}n` : value,
        ),
      );
    }
    return parts.join("\n");
  });
}

/** The code of a call's refusal; throws when the call is not refused. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    const { data } = error as { data?: unknown };
    const parsed: unknown = typeof data === "string" ? JSON.parse(data) : data;
    if (typeof parsed === "object" && parsed !== null && "code" in parsed) {
      return String(parsed.code);
    }
    throw error;
  }
  throw new Error("The call was not refused");
}

/** What an administrator types to create June Hale, who has nothing yet. */
export function newUser(
  changes: Partial<FunctionArgs<typeof api.admin.users.create>> = {},
): FunctionArgs<typeof api.admin.users.create> {
  const nothing = { availableCents: 0n, balanceCents: 0n };
  return {
    name: "June Hale",
    email: "june@bank.example",
    phone: "(555) 010-0130",
    password: "a long enough one",
    role: "user",
    street: "5 Elm Street",
    city: "Troy",
    state: "NY",
    zipCode: "12180",
    checking: nothing,
    savings: nothing,
    ...changes,
  };
}
