/** The state of one connection: what the next Transition must contain when another message came in between. */
import { expect, test } from "vitest";
import { QUERIES_PER_CONNECTION_MAX, Session } from "../../../embedded/sync/session";
import type { AddQuery, ClientMessage } from "../../../embedded/sync/protocol";

const add = (queryId: number): AddQuery => ({
  type: "Add",
  queryId,
  udfPath: "messages:list",
  args: {},
  journal: null,
});

type Modification = Extract<ClientMessage, { type: "ModifyQuerySet" }>["modifications"][number];

/** A connected session with queries 0 to `count` - 1, and how to change them. */
function connected(count: number, queryCharsMax = 1_000_000) {
  const session = new Session(queryCharsMax);
  session.receive({
    type: "Connect",
    sessionId: "session",
    connectionCount: 0,
    maxObservedTs: null,
    clientTs: null,
  });
  let version = 0;
  const modify = (modifications: readonly Modification[]) => {
    const [baseVersion, newVersion] = [version, version + 1];
    version = newVersion;
    session.receive({ type: "ModifyQuerySet", baseVersion, newVersion, modifications });
  };
  modify(Array.from({ length: count }, (_, queryId) => add(queryId)));
  return { session, modify };
}

const idsOf = (queries: readonly { readonly queryId: number }[]) =>
  queries.map(({ queryId }) => queryId);

test("a plan that was given back leaves its queries and its removals to the next one, in order", () => {
  const { session, modify } = connected(3);
  session.finish(session.plan(), 1n);
  modify([{ type: "Remove", queryId: 0 }, add(3)]);
  const plan = session.plan();
  expect([idsOf(plan.dirty), plan.removedIds]).toEqual([[3], [0]]);
  modify([{ type: "Remove", queryId: 1 }]);
  session.abandon(plan);
  const next = session.plan();
  expect([idsOf(next.dirty), next.removedIds]).toEqual([[3], [0, 1]]);
});

test("queries that a Transition has no room for come first in the next one, and who has left stays away", () => {
  const { session, modify } = connected(5);
  const first = session.plan();
  expect(idsOf(first.dirty)).toEqual([0, 1, 2, 3, 4]);
  modify([{ type: "Remove", queryId: 1 }]);
  session.postpone(first, 3);
  for (const query of first.dirty) query.isDirty = true;
  expect(idsOf(session.plan().dirty)).toEqual([3, 4, 0, 2]);
});

test("a client that is told nothing cannot go on adding and removing queries for ever", () => {
  const { modify } = connected(0);
  const addAndRemove = () =>
    modify(
      Array.from({ length: 1000 }, () => [add(0), { type: "Remove" as const, queryId: 0 }]).flat(),
    );
  expect(() => {
    for (let round = 0; round < 100; round++) addAndRemove();
  }).toThrow("Too many removed queries");
});

test("a connection may have as many queries open as the limit says, and no more", () => {
  const { modify } = connected(QUERIES_PER_CONNECTION_MAX);
  const another = add(QUERIES_PER_CONNECTION_MAX);
  modify([{ type: "Remove", queryId: 0 }, another]);
  expect(() => modify([add(0)])).toThrow("Too many queries on one connection (limit: 2000)");
});

test("names, arguments and journals of open queries may be as long as the limit, together", () => {
  const { modify } = connected(0, 50);
  // "messages:list" and "{}" are fifteen characters.
  modify([add(0), add(1), { ...add(2), journal: "12345" }]);
  expect(() =>
    modify([
      { type: "Remove", queryId: 0 },
      { ...add(3), journal: "1" },
    ]),
  ).toThrow("limit: 50 characters");
});

test("who signs out with more open than strangers may have can close it, and open no more", () => {
  const { session, modify } = connected(0);
  session.identityAccepted(true);
  const large = (queryId: number) => ({ ...add(queryId), journal: "x".repeat(50_000) });
  modify([large(0), large(1), large(2)]);
  session.identityAccepted(false);
  modify([{ type: "Remove", queryId: 0 }]);
  expect(() => modify([add(3)])).toThrow("limit: 65536 characters");
});

test.each([
  ["its queries", { type: "ModifyQuerySet", baseVersion: 0, newVersion: 2, modifications: [] }],
  ["its identity", { type: "Authenticate", baseVersion: 0, credentials: { tokenType: "None" } }],
] as const)("a message that follows an older version of %s is refused", (_, message) => {
  const { session } = connected(1);
  session.identityAccepted(true);
  expect(() => session.receive(message)).toThrow("Base version 0 passed up doesn't match");
});

test("what is open counts with its names, arguments and journals", () => {
  const { session, modify } = connected(1);
  const before = session.keptBytes;
  modify([{ ...add(1), journal: "x".repeat(50_000) }]);
  expect(session.keptBytes).toBeGreaterThan(before + 50_000);
});

test("a list in the place of arguments is not taken for none", () => {
  const { session, modify } = connected(0);
  modify([{ ...add(0), args: [] }]);
  expect(session.queries.get(0)?.argsJson).toBe("[]");
});
