/** What a client's message may be, and what of it is kept. */
import { expect, test } from "vitest";
import { parseClientMessage } from "../../../embedded/sync/protocol";
import { usedHeapBytes } from "../../support/heap";

const parsed = (message: object) => parseClientMessage(JSON.stringify(message));

const CALL = { type: "Mutation", requestId: 0, udfPath: "a:b", args: [{}] };
const CONNECT = { type: "Connect", connectionCount: 0 };
const SESSION = "00000000-0000-4000-8000-000000000000";

test.each([undefined, null, ""])("the component %j is none", (componentPath) => {
  expect(parsed({ ...CALL, componentPath })).toMatchObject({ isRootComponent: true });
});

test.each([1.5, 2 ** 53, -1, "1", null])("%j is no number of a request", (requestId) => {
  expect(() => parsed({ ...CALL, requestId })).toThrow("requestId must be");
});

test.each(["", `${SESSION}0`, `0${SESSION}`, SESSION.replaceAll("-", "")])(
  "%j is no session",
  (sessionId) => {
    expect(() => parsed({ ...CONNECT, sessionId })).toThrow("sessionId must be");
    expect(parsed({ ...CONNECT, sessionId: SESSION })).toMatchObject({ sessionId: SESSION });
  },
);

test.each(["impersonating", "actingAs"])("an administrator says by %s who to act as", (field) => {
  const user = { issuer: "i", subject: "ada" };
  const key = { type: "Authenticate", baseVersion: 0, tokenType: "Admin", value: "key" };
  const { credentials } = parsed({ ...key, [field]: user }) as { credentials?: unknown };
  expect(credentials).toEqual({ tokenType: "Admin", value: "key", actingAs: user });
});

test.each([
  ["long", 100, 100_000],
  ["many", 50_000, 100],
])("of %s names of functions that do not exist, few are kept", (_, count, chars) => {
  const before = usedHeapBytes();
  for (let queryId = 0; queryId < count; queryId++) {
    const add = { type: "Add", queryId, udfPath: String(queryId).padEnd(chars, "x"), args: [] };
    parsed({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications: [add] });
  }
  expect(usedHeapBytes() - before).toBeLessThan(2_000_000);
});
