import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { retryParts } from "../../../src/lib/lazyPart";
import { allowReload, loadPage, loadPart, PartUnavailableError } from "../../../src/lib/loadPart";

afterEach(() => vi.unstubAllGlobals());

const FORM = { form: "form" };

test("a part whose file does not arrive is not imported, and asked for again by the next who needs it", async () => {
  const answers = [
    () => Promise.reject(new TypeError("no connection")),
    // A server that fails; a proxy whose server is away answers with higher numbers.
    () => Promise.resolve(new Response("failed", { status: 500 })),
    () => Promise.resolve(new Response("code")),
  ];
  const fetchFile = vi.fn((_href: string) => answers.shift()?.());
  vi.stubGlobal("fetch", fetchFile);
  const importForm = vi.fn(() => Promise.resolve(FORM));
  const load = () => loadPart(importForm, ["assets/form.js"]);
  await expect(load()).rejects.toThrow(PartUnavailableError);
  await expect(load()).rejects.toThrow(PartUnavailableError);
  expect(importForm).not.toHaveBeenCalled();
  expect(await Promise.all([load(), load()])).toEqual([FORM, FORM]);
  expect(fetchFile.mock.calls.map(([href]) => href)).toEqual(
    Array.from({ length: 3 }, () => `${window.location.origin}/assets/form.js`),
  );
});

test("whoever needs a part while its file is under way waits until the whole file has arrived", async () => {
  let lose = (): void => undefined;
  const body = new ReadableStream({
    start: (controller) => (lose = () => controller.error(new TypeError("connection lost"))),
  });
  const fetchFile = vi.fn().mockResolvedValueOnce(new Response(body));
  vi.stubGlobal("fetch", fetchFile);
  const importForm = vi.fn(() => Promise.resolve(FORM));
  const load = () => loadPart(importForm, ["assets/large.js"]);
  const loads = [load(), load()];
  await new Promise((resolve) => setImmediate(resolve));
  expect(importForm).not.toHaveBeenCalled();
  lose();
  await Promise.all(loads.map((loading) => expect(loading).rejects.toThrow(PartUnavailableError)));
  // One that is missing counts as arrived: its import reports it.
  fetchFile.mockResolvedValueOnce(new Response("gone", { status: 404 }));
  expect(await load()).toBe(FORM);
});

test("a file that is never answered is given up, and fetched again by the next who needs it", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const fetchFile = vi.fn((_href: string, { signal }: RequestInit) => untilAborted(signal));
  vi.stubGlobal("fetch", fetchFile);
  for (let times = 1; times <= 2; times++) {
    const load = loadPart(() => Promise.resolve(FORM), ["assets/unanswered.js"]);
    const failure = expect(load).rejects.toThrow(PartUnavailableError);
    await vi.advanceTimersByTimeAsync(60_000);
    await failure;
    expect(fetchFile).toHaveBeenCalledTimes(times);
  }
});

function untilAborted(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
  });
}

test("a file of which nothing more arrives is given up, however long a slow one takes", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let arrive = (): void => undefined;
  vi.stubGlobal("fetch", async (_href: string, { signal }: RequestInit) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        arrive = () => controller.enqueue(new Uint8Array(1));
        signal?.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
    return new Response(body);
  });
  let isPending = true;
  const load = loadPart(() => Promise.resolve(FORM), ["assets/slow.js"]).finally(
    () => (isPending = false),
  );
  const failure = expect(load).rejects.toThrow(PartUnavailableError);
  for (let pieces = 0; pieces < 5; pieces++) {
    await vi.advanceTimersByTimeAsync(59_999);
    arrive();
  }
  await vi.advanceTimersByTimeAsync(59_999);
  expect(isPending).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  await failure;
  expect(vi.getTimerCount()).toBe(0);
});

test("what a page is made of is preloaded and imported at once, and not fetched for its parts again", async () => {
  const fetchFile = vi.fn();
  vi.stubGlobal("fetch", fetchFile);
  const href = `${window.location.origin}/assets/route.js`;
  const load = () => loadPart(() => Promise.resolve(FORM), ["assets/route.js"]);
  for (let visits = 0; visits < 2; visits++) expect(await loadPage(load)).toBe(FORM);
  expect(document.querySelectorAll(`link[rel="modulepreload"][href="${href}"]`)).toHaveLength(1);
  expect(await load()).toBe(FORM);
  expect(fetchFile).not.toHaveBeenCalled();
  // Only what a page itself consists of: there is nothing to lose yet.
  fetchFile.mockResolvedValue(new Response("code"));
  await loadPart(() => Promise.resolve(FORM), ["assets/part.js"]);
  expect(fetchFile).toHaveBeenCalledTimes(1);
});

test("what a later page is made of is fetched like any part, and reloads the page if it does not arrive", async () => {
  const fetchFile = vi.fn<(href: string) => Promise<Response>>();
  vi.stubGlobal("fetch", fetchFile);
  const load = (file: string) => loadPage(() => loadPart(() => Promise.resolve(FORM), [file]));
  await load("assets/firstRoute.js");
  expect(fetchFile).not.toHaveBeenCalled();
  const reload = vi.fn();
  const { origin } = window.location;
  const href = `${origin}/transactions`;
  vi.stubGlobal("location", { origin, href, pathname: "/transactions", reload });
  allowReload();
  fetchFile.mockRejectedValueOnce(new TypeError("connection reset"));
  fetchFile.mockImplementation(async () => new Response("code"));
  await expect(load("assets/nextRoute.js")).rejects.toThrow(PartUnavailableError);
  await new Promise((resolve) => setImmediate(resolve));
  expect(reload).toHaveBeenCalledOnce();
  expect(await load("assets/nextRoute.js")).toBe(FORM);
  const file = `${origin}/assets/nextRoute.js`;
  expect(fetchFile.mock.calls.map(([address]) => address)).toEqual([file, href, file]);
});

test("what the document itself requests is neither preloaded nor fetched", async () => {
  const fetchFile = vi.fn();
  vi.stubGlobal("fetch", fetchFile);
  document.head.innerHTML =
    '<script src="/entry.js"></script><link rel="modulepreload" href="/a.js">';
  vi.resetModules();
  const fresh = await import("../../../src/lib/loadPart");
  const load = () => fresh.loadPart(() => Promise.resolve(FORM), ["entry.js", "a.js"]);
  expect(await fresh.loadPage(load)).toBe(FORM);
  expect(await load()).toBe(FORM);
  expect(document.querySelectorAll("link")).toHaveLength(1);
  expect(fetchFile).not.toHaveBeenCalled();
  document.head.innerHTML = "";
});

describe("a part that is gone", () => {
  const reload = vi.fn();
  const ask = vi.fn<() => Promise<Response>>();
  beforeEach(() => {
    reload.mockClear();
    ask.mockReset().mockImplementation(async () => new Response());
    allowReload();
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.stubGlobal("fetch", ask);
    vi.stubGlobal("location", { ...window.location, href: "https://bank.example/login", reload });
    return () => vi.useRealTimers();
  });

  /** How often the page was reloaded since the last time, after such a part was needed. */
  async function reloads(): Promise<number> {
    const gone = loadPart(() => Promise.reject(new TypeError("404")));
    await expect(gone).rejects.toThrow(PartUnavailableError);
    await new Promise((resolve) => setImmediate(resolve));
    const { length } = reload.mock.calls;
    reload.mockClear();
    return length;
  }

  test("reloads the page once a minute, or again when that was of use", async () => {
    expect(await reloads()).toBe(1);
    expect(ask).toHaveBeenCalledExactlyOnceWith("https://bank.example/login", {
      method: "HEAD",
      cache: "no-store",
    });
    vi.setSystemTime(Date.now() + 59_999);
    expect(await reloads()).toBe(0);
    vi.setSystemTime(Date.now() + 1);
    expect(await reloads()).toBe(1);
    expect(await reloads()).toBe(0);
    // "Try again"
    retryParts();
    expect(await reloads()).toBe(1);
  });

  test("leaves the page as it is where the browser keeps nothing, which could not tell that it was reloaded", async () => {
    const refuse = () => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.stubGlobal("sessionStorage", { getItem: refuse, removeItem: refuse, setItem: refuse });
    expect(await reloads()).toBe(0);
  });

  test("leaves a page as it is that works without the application, and may be loading the page of a link", async () => {
    onTestFinished(() => void (document.body.innerHTML = ""));
    document.body.innerHTML = '<div data-start="on-use"></div>';
    expect(await reloads()).toBe(0);
    // Once the application has started.
    document.querySelector("div")?.removeAttribute("data-start");
    expect(await reloads()).toBe(1);
  });

  test.each([
    ["there is no connection", () => Promise.reject(new TypeError("no connection"))],
    ["the server is away", async () => new Response("away", { status: 502 })],
  ])("leaves the page as it is while %s", async (_, answer) => {
    ask.mockImplementation(answer);
    expect(await reloads()).toBe(0);
    ask.mockImplementation(async () => new Response());
    expect(await reloads()).toBe(1);
  });
});
