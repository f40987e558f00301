/** A browser that keeps nothing: storage that is refused, absent, or full. */
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { currentAccessToken, forgetSession } from "../../../src/lib/convexSession";
import { claimDrafts, clearDrafts, hasDraft, readDraft, writeDraft } from "../../../src/lib/drafts";
import { reloadNewRelease, allowReload } from "../../../src/lib/loadPart";
import { hideRefusedLocks, tabStorage } from "../../../src/lib/tabStorage";

const WHOLE = Object.getOwnPropertyDescriptor(globalThis, "sessionStorage") ?? {};

// Before the one of all tests, which empties it.
afterEach(() => {
  Object.defineProperty(globalThis, "sessionStorage", WHOLE);
});

function replaceStorage(get: () => Storage | null): void {
  Object.defineProperty(globalThis, "sessionStorage", { get, configurable: true });
}

const BROWSERS: [string, () => void][] = [
  [
    "refuses storage",
    () =>
      replaceStorage(() => {
        throw new DOMException("denied", "SecurityError");
      }),
  ],
  ["has no storage", () => replaceStorage(() => null)],
  [
    "has no room",
    () => {
      const spy = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
        throw new DOMException("full", "QuotaExceededError");
      });
      onTestFinished(() => spy.mockRestore());
    },
  ],
];

test.each(BROWSERS)("a browser that %s keeps session and drafts in memory", (_, limit) => {
  limit();
  tabStorage.setItem("__convexAuthJWT_bank", "token");
  expect(currentAccessToken()).toBe("token");
  claimDrafts("maya");
  writeDraft("transfer", { amount: "5" });
  claimDrafts("maya");
  expect(readDraft("transfer", { amount: "" })).toEqual({ amount: "5" });
  claimDrafts("omar");
  expect(hasDraft("transfer")).toBe(false);
  clearDrafts();
  forgetSession();
  expect(currentAccessToken()).toBe("");
});

test("a used token that cannot be replaced for lack of room is gone, not back after a reload", () => {
  tabStorage.setItem("token", "used");
  expect(sessionStorage.getItem("token")).toBe("used");
  BROWSERS[2]?.[1]();
  tabStorage.setItem("token", "new");
  expect(tabStorage.getItem("token")).toBe("new");
  expect(sessionStorage.getItem("token")).toBeNull();
  tabStorage.removeItem("token");
  expect(tabStorage.getItem("token")).toBeNull();
});

test("a page that cannot note its reload is not reloaded, as it would be for ever", async () => {
  vi.stubGlobal("fetch", async () => new Response());
  onTestFinished(() => void vi.unstubAllGlobals());
  BROWSERS[0]?.[1]();
  allowReload();
  await expect(reloadNewRelease()).resolves.toBeUndefined();
});

test("locks are hidden where the browser refuses them along with storage, and only there", () => {
  const locks = {};
  Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "locks"));
  hideRefusedLocks();
  expect(navigator.locks).toBe(locks);
  BROWSERS[0]?.[1]();
  hideRefusedLocks();
  expect(navigator.locks).toBeUndefined();
});
