import { act, fireEvent, renderHook } from "@testing-library/react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MEMBER_SESSION_LIFE_MS } from "../../../convex/shared/limits";
import { openSessionChannel } from "../../../src/features/session/channel";
import { clockText, idleStateAfter } from "../../../src/features/session/idle";
import { useIdle } from "../../../src/features/session/useIdle";
import { fakeServer } from "../../support/convexReact";
import { PATIENCE } from "../../support/patience";

const MINUTE = 60_000;

describe("idle time", () => {
  test.each([
    ["quiet before the warning", 12.9, { isWarning: false, isOver: false }],
    ["warns two minutes before the end", 13, { isWarning: true, isOver: false }],
    ["is over at the end", 15, { isWarning: false, isOver: true }],
    ["is over after a night of sleep", 600, { isWarning: false, isOver: true }],
  ])("%s", (_, minutes, expected) => {
    expect(idleStateAfter(minutes * MINUTE, 15 * MINUTE, 2 * MINUTE)).toMatchObject(expected);
  });

  test("a warning takes at most half of a short timeout", () => {
    expect(idleStateAfter(0.4 * MINUTE, MINUTE, 2 * MINUTE).isWarning).toBe(false);
    expect(idleStateAfter(0.5 * MINUTE, MINUTE, 2 * MINUTE).isWarning).toBe(true);
    const last = idleStateAfter(MINUTE - 1, MINUTE, 2 * MINUTE);
    expect(last).toEqual({ isWarning: true, isOver: false, secondsLeft: 1 });
  });

  test("the clock counts whole seconds down", () => {
    expect(clockText(idleStateAfter(13 * MINUTE, 15 * MINUTE, 2 * MINUTE).secondsLeft)).toBe(
      "2:00",
    );
    expect(clockText(65)).toBe("1:05");
  });
});

test("tabs of the same person hear each other, another person's do not", async () => {
  const mine = vi.fn();
  const hers = vi.fn();
  const sender = openSessionChannel("maya", vi.fn());
  const sameTab = openSessionChannel("maya", mine);
  const otherTab = openSessionChannel("omar", hers);
  try {
    sender.send("signedOut");
    await vi.waitFor(() => expect(mine).toHaveBeenCalledExactlyOnceWith("signedOut"), PATIENCE);
    expect(hers).not.toHaveBeenCalled();
  } finally {
    for (const channel of [sender, sameTab, otherTab]) channel.close();
  }
});

test("a browser that refuses channels along with storage has tabs that hear nothing, and pages that work", () => {
  class Refused {
    constructor() {
      throw new DOMException("denied", "SecurityError");
    }
  }
  vi.stubGlobal("BroadcastChannel", Refused);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { unmount } = renderHook(() => useIdle("maya", MEMBER_SESSION_LIFE_MS, () => undefined));
  fireEvent.keyDown(document.body);
  unmount();
});

test("activity is reported within a minute, even if the clock is set back", async () => {
  vi.useFakeTimers();
  const touch = vi.fn(async () => null);
  fakeServer.calls = { "sessions:touch": touch };
  onTestFinished(() => {
    fakeServer.calls = {};
    vi.useRealTimers();
  });
  renderHook(() => useIdle("maya", MEMBER_SESSION_LIFE_MS, () => undefined));
  await vi.advanceTimersByTimeAsync(0);
  expect(touch).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() - 60 * MINUTE);
  for (let seconds = 0; seconds < 59; seconds += 1) {
    fireEvent.keyDown(document.body);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(touch).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(touch).toHaveBeenCalledTimes(2);
});

test("the warning comes two minutes before the end, even if the device's clock is set back", async () => {
  vi.useFakeTimers();
  fakeServer.calls = { "sessions:touch": async () => null };
  onTestFinished(() => {
    fakeServer.calls = {};
    vi.useRealTimers();
  });
  const { result } = renderHook(() => useIdle("nora", 15 * MINUTE, () => undefined));
  await act(() => vi.advanceTimersByTimeAsync(MINUTE));
  vi.setSystemTime(Date.now() - 60 * MINUTE);
  await act(() => vi.advanceTimersByTimeAsync(12 * MINUTE));
  expect(result.current.state).toMatchObject({ isWarning: true, secondsLeft: 120 });
});

describe("an idle person", () => {
  const server = () => {
    vi.useFakeTimers();
    fakeServer.calls = { "sessions:touch": async () => null };
    onTestFinished(() => {
      fakeServer.calls = {};
      vi.useRealTimers();
    });
  };
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  test("is signed out once at the end; input during the warning does not put it off", async () => {
    server();
    const onOver = vi.fn();
    const { result } = renderHook(() => useIdle("ada", 15 * MINUTE, onOver));
    await pass(10 * MINUTE);
    fireEvent.pointerDown(document.body);
    await pass(14 * MINUTE);
    expect(result.current.state).toMatchObject({ secondsLeft: 60 });
    fireEvent.keyDown(document.body);
    await pass(MINUTE - 1_000);
    expect(onOver).not.toHaveBeenCalled();
    await pass(10_000);
    expect(onOver).toHaveBeenCalledOnce();
  });

  test("is signed out after the device slept, though the page's clock stood still", async () => {
    server();
    const onOver = vi.fn();
    renderHook(() => useIdle("ines", 15 * MINUTE, onOver));
    await pass(MINUTE);
    vi.setSystemTime(Date.now() + 15 * MINUTE);
    await pass(1_000);
    expect(onOver).toHaveBeenCalledOnce();
  });

  test("is not signed out by a watch that has ended", async () => {
    server();
    const onOver = vi.fn();
    const { unmount } = renderHook(() => useIdle("ines", 15 * MINUTE, onOver));
    unmount();
    vi.setSystemTime(Date.now() + 15 * MINUTE);
    fireEvent(document, new Event("visibilitychange"));
    fireEvent(document, new Event("resume"));
    fireEvent(window, new Event("pageshow"));
    fireEvent.keyDown(document.body);
    expect(onOver).not.toHaveBeenCalled();
  });

  test.each([
    ["a key wakes the page", () => fireEvent.keyDown(document.body)],
    ["the page is looked at", () => fireEvent(document, new Event("visibilitychange"))],
    ["the browser thaws it", () => fireEvent(document, new Event("resume"))],
    ["Back restores it", () => fireEvent(window, new Event("pageshow"))],
  ])("is signed out at once when %s after the end", async (_, wake) => {
    server();
    const onOver = vi.fn();
    renderHook(() => useIdle("uma", 15 * MINUTE, onOver));
    await pass(MINUTE);
    vi.setSystemTime(Date.now() + 15 * MINUTE);
    wake();
    expect(onOver).toHaveBeenCalledOnce();
    await pass(10_000);
    expect(onOver).toHaveBeenCalledOnce();
  });

  test("cannot stay by a button that was on the screen when the device fell asleep", async () => {
    server();
    const onOver = vi.fn();
    const { result } = renderHook(() => useIdle("eve", 15 * MINUTE, onOver));
    await pass(14 * MINUTE);
    vi.setSystemTime(Date.now() + MINUTE);
    act(result.current.stay);
    expect(onOver).toHaveBeenCalledOnce();
  });

  test("is warned when a key wakes the page shortly before the end", async () => {
    server();
    const { result } = renderHook(() => useIdle("ivy", 15 * MINUTE, () => undefined));
    await pass(MINUTE);
    vi.setSystemTime(Date.now() + 13 * MINUTE);
    fireEvent.keyDown(document.body);
    expect(result.current.state).toMatchObject({ secondsLeft: 60 });
    await pass(2_000);
    expect(result.current.state).toMatchObject({ secondsLeft: 58 });
  });
});

describe("the tabs of one person", () => {
  /** Tells the others at once, so that no test waits. */
  class Channel {
    static readonly all = new Set<Channel>();
    onmessage: ((event: { data: unknown }) => void) | null = null;
    constructor() {
      Channel.all.add(this);
    }
    postMessage(data: unknown): void {
      for (const other of Channel.all) if (other !== this) other.onmessage?.({ data });
    }
    close(): void {
      Channel.all.delete(this);
    }
  }
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  /** One tab that watches, and another one. */
  function tabs() {
    vi.useFakeTimers();
    vi.stubGlobal("BroadcastChannel", Channel);
    fakeServer.calls = { "sessions:touch": async () => null };
    const heard = vi.fn<(kind: string) => void>();
    const other = openSessionChannel("maya", heard);
    const { result } = renderHook(() => useIdle("maya", 15 * MINUTE, () => undefined));
    onTestFinished(() => {
      other.close();
      fakeServer.calls = {};
      vi.unstubAllGlobals();
      vi.useRealTimers();
    });
    const tell = (kind: "active" | "signedOut") => act(() => other.send(kind));
    return { result, heard, tell };
  }

  test("who is active in another tab is active in this one, also while it warns", async () => {
    const { result, tell } = tabs();
    await pass(14 * MINUTE);
    tell("signedOut");
    expect(result.current.state).toMatchObject({ secondsLeft: 60 });
    tell("active");
    expect(result.current.state).toBeNull();
    await pass(14 * MINUTE);
    expect(result.current.state).toMatchObject({ secondsLeft: 60 });
  });

  test("the others hear of a page that was opened, of input once a second, and of who stays", async () => {
    const { result, heard } = tabs();
    expect(heard.mock.calls).toEqual([["active"]]);
    for (let press = 0; press < 3; press++) fireEvent.keyDown(document.body);
    expect(heard).toHaveBeenCalledTimes(2);
    await pass(14 * MINUTE);
    fireEvent.keyDown(document.body);
    expect(heard).toHaveBeenCalledTimes(2);
    act(result.current.stay);
    expect(result.current.state).toBeNull();
    expect(heard).toHaveBeenCalledTimes(3);
  });
});
