import { beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { newBackend, person, refusalOf, signedIn, type Backend } from "./support";

let t: Backend;

beforeEach(() => {
  vi.useRealTimers();
  t = newBackend();
});

const MINUTE_MS = 60_000;

describe("one's own sessions", () => {
  test("are listed by handle without any session id, and one can be signed out", async () => {
    vi.useFakeTimers();
    const ada = await person(t, "ada@bank.example");
    const other = await signedIn(t, ada.userId);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    await ada.as.mutation(api.sessions.touch, {});
    const listed = await ada.as.query(api.profile.sessions, {});
    const [createdAt, lastActiveAt] = [Date.now() - MINUTE_MS, Date.now()];
    expect(listed).toMatchObject([
      { isCurrent: false, createdAt, lastActiveAt: createdAt },
      { isCurrent: true, createdAt, lastActiveAt },
    ]);
    const [theOther] = listed;
    await ada.as.mutation(api.profile.signOutSession, { handle: theOther?.handle ?? "" });
    expect(await other.as.query(api.viewer.get, {})).toBeNull();
    expect(await ada.as.query(api.viewer.get, {})).not.toBeNull();
    const events = await ada.as.query(api.profile.securityEvents, {});
    expect(events).toMatchObject([{ kind: "sessionRevoked" }]);
  });

  test("cannot be signed out by somebody else", async () => {
    const ada = await person(t, "ada@bank.example");
    const ben = await person(t, "ben@bank.example");
    const [bens] = await ben.as.query(api.profile.sessions, {});
    const call = ada.as.mutation(api.profile.signOutSession, { handle: bens?.handle ?? "" });
    expect(await refusalOf(call)).toBe("NOT_FOUND");
    expect(await ben.as.query(api.viewer.get, {})).not.toBeNull();
  });

  test("can all be ended but this one", async () => {
    const ada = await person(t, "ada@bank.example");
    const other = await signedIn(t, ada.userId);
    await signedIn(t, ada.userId, false);
    // Not counted: the one that waits for its code, which the list does not show either.
    expect(await ada.as.mutation(api.profile.signOutEverywhereElse, {})).toEqual({ count: 1 });
    expect(await other.as.query(api.viewer.get, {})).toBeNull();
    expect(await ada.as.query(api.profile.securityEvents, {})).toMatchObject([
      { kind: "sessionRevoked" },
    ]);
  });
});
