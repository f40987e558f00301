/** Leaving without a connection, with the library's own provider and client. */
import { act, renderHook } from "@testing-library/react";
import { ConvexAuthProvider } from "@convex-dev/auth/react";
import { ConvexReactClient, useConvexAuth } from "convex/react";
import type { ReactNode } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { useEndSession } from "../../../src/hooks/useEndSession";
import { tabStorage } from "../../../src/lib/tabStorage";

/** A socket that never opens. */
class DeadSocket {
  onopen = null;
  onclose = null;
  onerror = null;
  onmessage = null;
  readyState = 0;
  close(): void {}
  send(): void {}
}

function storeSession(): void {
  const encode = (part: object) => btoa(JSON.stringify(part)).replaceAll("=", "");
  const nowS = Date.now() / 1000;
  const token = `${encode({ alg: "none" })}.${encode({ iat: nowS, exp: nowS + 600 })}.x`;
  sessionStorage.setItem("__convexAuthJWT_http1270019", token);
  sessionStorage.setItem("__convexAuthRefreshToken_http1270019", "refresh");
}

const client = new ConvexReactClient("http://127.0.0.1:9", {
  skipConvexDeploymentUrlCheck: true,
  webSocketConstructor: DeadSocket as never,
  logger: false,
  unsavedChangesWarning: false,
});

function provider({ children }: { children: ReactNode }) {
  return (
    <ConvexAuthProvider client={client} storage={tabStorage} shouldHandleCode={false}>
      {children}
    </ConvexAuthProvider>
  );
}

test("without a connection the session is forgotten after two seconds, and only it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  storeSession();
  sessionStorage.setItem("theme", "dark");
  const { result } = renderHook(() => ({ end: useEndSession(), auth: useConvexAuth() }), {
    wrapper: provider,
  });
  await act(() => vi.advanceTimersByTimeAsync(0));
  // Until the server has said who this is.
  expect(result.current.auth.isLoading).toBe(true);
  let hasEnded = false;
  act(() => void result.current.end().then(() => (hasEnded = true)));
  await act(() => vi.advanceTimersByTimeAsync(1_999));
  expect(hasEnded).toBe(false);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(hasEnded).toBe(true);
  expect(Object.keys(sessionStorage)).toEqual(["theme"]);
  expect(result.current.auth).toMatchObject({ isLoading: false, isAuthenticated: false });
});
