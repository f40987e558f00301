/** The tabs of one session, which all renew it with the newest refresh token. */
import { renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { useSharedRefreshToken } from "../../../src/features/session/useSharedRefreshToken";

let accessToken: string | null;
vi.mock("@convex-dev/auth/react", () => ({ useAuthToken: () => accessToken }));

const KEY = "__convexAuthRefreshToken_bank";

/** Tells the others at once, so that no test waits. */
class Channel {
  static readonly all = new Set<Channel>();
  readonly name: string;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor(name: string) {
    this.name = name;
    Channel.all.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of Channel.all) {
      if (other !== this && other.name === this.name) other.onmessage?.({ data });
    }
  }
  close(): void {
    Channel.all.delete(this);
  }
}

/** This tab, which came with a token of "ours" and may still be loading, and another one of that session. */
function tabs(isLoading = false) {
  let renewals = 0;
  const renew = (token: string) => {
    accessToken = `access ${++renewals}`;
    sessionStorage.setItem(KEY, token);
  };
  renew("1|ours");
  if (isLoading) accessToken = null;
  const tab = renderHook(() => useSharedRefreshToken());
  const other = new Channel("refresh token of ours");
  const heard = vi.fn<(event: { data: unknown }) => void>();
  other.onmessage = heard;
  return { tab, other, renew, heard: () => heard.mock.calls.map(([{ data }]) => data) };
}

beforeEach(() => {
  vi.stubGlobal("BroadcastChannel", Channel);
  return () => {
    Channel.all.clear();
    sessionStorage.clear();
    vi.unstubAllGlobals();
  };
});

test("others are told of each token that this tab was given, but not of the one it came with", () => {
  const { tab, renew, heard } = tabs();
  tab.rerender();
  expect(heard()).toEqual([]);
  for (const token of ["2|ours", "3|ours"]) {
    renew(token);
    tab.rerender();
  }
  expect(heard()).toEqual(["2|ours", "3|ours"]);
});

test("a tab that is still loading says nothing of the token it finds, nor of its end", () => {
  const { tab, renew, heard } = tabs(true);
  for (const token of ["1|ours", "2|ours"]) {
    renew(token);
    tab.rerender();
  }
  expect(heard()).toEqual(["2|ours"]);
  accessToken = null;
  tab.rerender();
  expect(heard()).toEqual(["2|ours"]);
});

test("another tab's token is taken, and not told again", () => {
  const { tab, other, heard } = tabs();
  other.postMessage("2|ours");
  expect(sessionStorage.getItem(KEY)).toBe("2|ours");
  accessToken = "the other tab's";
  tab.rerender();
  expect(heard()).toEqual([]);
});

test.each([["2|theirs"], [{ token: "2|ours" }], [null]])("%j is not taken for a token", (data) => {
  tabs().other.postMessage(data);
  expect(sessionStorage.getItem(KEY)).toBe("1|ours");
});

test("no token is taken once this tab has another session, or none", () => {
  const { other, renew } = tabs();
  renew("1|theirs");
  other.postMessage("2|ours");
  expect(sessionStorage.getItem(KEY)).toBe("1|theirs");
  sessionStorage.clear();
  other.postMessage("2|ours");
  expect(sessionStorage).toHaveLength(0);
});

test("a tab listens to the session it has, as long as it has one", () => {
  const { tab, renew, other } = tabs();
  other.close();
  const names = () => Array.from(Channel.all, ({ name }) => name);
  renew("1|next");
  tab.rerender();
  expect(names()).toEqual(["refresh token of next"]);
  accessToken = null;
  tab.rerender();
  expect(names()).toEqual([]);
});
