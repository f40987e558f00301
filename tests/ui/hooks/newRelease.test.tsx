import { act, renderHook } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useCommand } from "../../../src/hooks/useCommand";
import { clearToasts, currentToasts } from "../../../src/lib/toasts";
import { PATIENCE } from "../../support/patience";

const served = vi.fn<() => Promise<Response>>();
const pageOf = (entry: string) => () =>
  Promise.resolve(new Response(`<script type="module" src="${entry}"></script>`));

beforeEach(() => {
  document.head.innerHTML = '<script type="module" src="/assets/index-old.js"></script>';
  vi.stubGlobal("fetch", served);
});
afterEach(() => {
  document.head.innerHTML = "";
  vi.unstubAllGlobals();
  served.mockReset();
  clearToasts();
});

async function fail(error: unknown) {
  const { result } = renderHook(() =>
    useCommand(() => Promise.reject(error as Error), { fallback: "SAVE_FAILED" }),
  );
  await act(() => result.current.run());
  await act(() => result.current.run());
}
const titles = () => currentToasts().map(({ title }) => title);

test("a call that fails for no known reason says, once, that the page is older than the server", async () => {
  served.mockImplementation(pageOf("/assets/index-new.js"));
  await fail(new Error("Server Error"));
  await vi.waitFor(() => expect(titles()).toEqual(["A new version is available"]), PATIENCE);
});

test.each([
  ["the page is up to date", pageOf("/assets/index-old.js")],
  ["the server is away", () => Promise.reject(new TypeError("no connection"))],
  ["a proxy says so", () => Promise.resolve(new Response("away", { status: 502 }))],
])("it says nothing of the kind while %s", async (_title, answer) => {
  served.mockImplementation(answer);
  await fail(new Error("Server Error"));
  await vi.waitFor(() => expect(served).toHaveBeenCalledTimes(2), PATIENCE);
  expect(titles()).toEqual([]);
});

test("a refusal is the server's answer: nobody asks for the page", async () => {
  await fail(new ConvexError({ code: "INSUFFICIENT_FUNDS", message: "Insufficient funds" }));
  expect(served).not.toHaveBeenCalled();
});
