/** Sessions with as many refresh tokens as they can make: the embedded backend counts what a mutation reads. */
import { beforeEach, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import schema from "../../convex/schema";
import { embeddedTest } from "../../embedded/testing";
import {
  admin,
  MODULES,
  person,
  refusalOf,
  signedIn,
  stubEnvironment,
  type Backend,
  type Person,
} from "./support";

/** In twelve hours: 240 at once, and as many in each hour. */
const TOKENS_EACH = 3_120;
const HOUR_MS = 3_600_000;

let t: Backend;
let ada: Person;
let others: Pick<Person, "sessionId" | "as">[];

beforeEach(async () => {
  stubEnvironment();
  t = embeddedTest(schema, MODULES);
  ada = await person(t, "ada@bank.example");
  others = [];
  // Five sessions that passed a code, and five that wait for one.
  for (const hasPassedCode of [true, true, true, true, false, false, false, false, false]) {
    others.push(await signedIn(t, ada.userId, hasPassedCode));
  }
  for (const { sessionId } of [ada, ...others]) await addTokens(sessionId, TOKENS_EACH);
}, 60_000);

async function addTokens(sessionId: Id<"authSessions">, count: number): Promise<void> {
  await t.run(async (ctx) => {
    const token = { sessionId, expirationTime: Date.now() + 12 * HOUR_MS };
    for (let made = 0; made < count; made++) await ctx.db.insert("authRefreshTokens", token);
  });
}

const hasTokens = ({ sessionId }: Pick<Person, "sessionId">) =>
  t.run(async (ctx) => {
    const token = await ctx.db
      .query("authRefreshTokens")
      .withIndex("sessionId", (q) => q.eq("sessionId", sessionId))
      .first();
    return token !== null;
  });

/** One of an ended session's tokens that is not deleted yet, as its page holds it. */
const newestToken = ({ sessionId }: Pick<Person, "sessionId">) =>
  t.run(async (ctx) => {
    const token = await ctx.db
      .query("authRefreshTokens")
      .withIndex("sessionId", (q) => q.eq("sessionId", sessionId))
      .order("desc")
      .first();
    return `${token?._id}|${sessionId}`;
  });

/** What the recurring job does, one run after the other. */
async function sweep(): Promise<void> {
  while ((await t.mutation(internal.sessions.sessionExpiry, {})) > 0);
}

test("whoever has so many cannot keep their sign-in from being disabled", async () => {
  const root = await admin(t);
  const disabling = { userId: ada.userId, isDisabled: true, reason: "Asked to" };
  await root.as.mutation(api.admin.users.setDisabled, disabling);
  await root.as.mutation(api.admin.users.setDisabled, { ...disabling, isDisabled: false });
  for (const { as } of [ada, ...others]) expect(await as.query(api.viewer.get, {})).toBeNull();
  await sweep();
  for (const session of [ada, ...others]) expect(await hasTokens(session)).toBe(false);
}, 60_000);

test("nobody else's session outlives signing out everywhere else", async () => {
  expect(await ada.as.mutation(api.profile.signOutEverywhereElse, {})).toEqual({ count: 4 });
  for (const { as } of others) {
    expect(await as.query(api.viewer.get, {})).toBeNull();
    expect(await refusalOf(as.mutation(api.sessions.touch, {}))).toBe("NOT_SIGNED_IN");
  }
  // Its page, which has renewed its token as often as it may, goes on trying.
  const refreshToken = await newestToken(others[0]!);
  const bucket = { key: `refreshHour:${others[0]!.sessionId}`, tokens: 0, updatedAt: Date.now() };
  await t.run((ctx) => ctx.db.insert("rateBuckets", bucket));
  expect(await t.action(api.auth.signIn, { refreshToken })).toEqual({ tokens: null });
  const events = await ada.as.query(api.profile.securityEvents, {});
  expect(events.map(({ text }) => text)).toEqual(["All other sessions were signed out."]);
  await sweep();
  for (const session of others) expect(await hasTokens(session)).toBe(false);
  expect(await hasTokens(ada)).toBe(true);
  expect(await ada.as.query(api.profile.sessions, {})).toHaveLength(1);
}, 60_000);

test("many sessions that are over at the same time are swept", async () => {
  const sessions = await t.run(async (ctx) => {
    const ids = [];
    for (let count = 0; count < 60; count++) {
      const session = { userId: ada.userId, expirationTime: 1 };
      ids.push(await ctx.db.insert("authSessions", session));
    }
    return ids;
  });
  // One each ten minutes, and one each time the page loads.
  for (const sessionId of sessions) await addTokens(sessionId, 90);
  await sweep();
  for (const sessionId of sessions) {
    expect(await t.run((ctx) => ctx.db.get("authSessions", sessionId))).toBeNull();
    expect(await hasTokens({ sessionId })).toBe(false);
  }
  expect(await hasTokens(ada)).toBe(true);
}, 60_000);
