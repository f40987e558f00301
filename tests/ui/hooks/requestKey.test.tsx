import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { useRequestKey } from "../../../src/hooks/useRequestKey";
import { clearDraft, writeDraft } from "../../../src/lib/drafts";

describe("useRequestKey", () => {
  const RENT = { amountCents: 100n };
  const open = () => renderHook(() => useRequestKey("rent"));
  const DRAFT = { amount: "1.00" };
  beforeEach(() => {
    sessionStorage.clear();
    for (const form of ["rent", "gift"]) writeDraft(form, DRAFT);
  });
  afterEach(() => void vi.useRealTimers());

  test("a page that was left or loaded anew while it sent has the same key for the same operation", () => {
    const before = open();
    const key = before.result.current.keyFor(RENT);
    // Long enough that no two operations ever have the same one.
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    before.unmount();
    // Its answer comes when nobody is there to read it.
    before.result.current.settle(RENT);
    const after = open();
    expect(after.result.current.keyFor(RENT)).toBe(key);
    after.result.current.settle(RENT);
    after.unmount();
    expect(open().result.current.keyFor(RENT)).not.toBe(key);
  });

  test("an answer that emptied the draft of a page that was left has been heard: the same words are new", () => {
    const before = open();
    const key = before.result.current.keyFor(RENT);
    before.unmount();
    clearDraft("rent");
    expect(open().result.current.keyFor(RENT)).not.toBe(key);
  });

  test("answered and emptied, the same typed again is new, also when it is left once more unsent", () => {
    const first = open();
    const key = first.result.current.keyFor(RENT);
    first.unmount();
    clearDraft("rent");
    const second = open();
    writeDraft("rent", { amount: "1.00" });
    second.unmount();
    expect(open().result.current.keyFor(RENT)).not.toBe(key);
  });

  test("what an earlier page sent is given up with the next answer that is read", () => {
    const before = open();
    const key = before.result.current.keyFor(RENT);
    before.unmount();
    const { keyFor, settle } = open().result.current;
    keyFor({ amountCents: 5n });
    settle({ amountCents: 5n });
    expect(keyFor(RENT)).not.toBe(key);
  });

  test("what an earlier page sent and this one sent again is its own, whatever else is answered", () => {
    const before = open();
    const key = before.result.current.keyFor(RENT);
    before.unmount();
    const { keyFor, settle } = open().result.current;
    keyFor(RENT);
    keyFor({ amountCents: 5n });
    settle({ amountCents: 5n });
    expect(keyFor(RENT)).toBe(key);
  });

  test("the ten minutes begin when an operation is sent once more", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const before = open();
    const key = before.result.current.keyFor(RENT);
    vi.setSystemTime(Date.now() + 9 * 60_000);
    before.result.current.keyFor(RENT);
    before.unmount();
    vi.setSystemTime(Date.now() + 9 * 60_000);
    expect(open().result.current.keyFor(RENT)).toBe(key);
  });

  test("ten minutes later the same words are meant once more; another form's never were the same", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const before = open();
    const key = before.result.current.keyFor(RENT);
    before.unmount();
    const other = renderHook(() => useRequestKey("gift"));
    expect(other.result.current.keyFor(RENT)).not.toBe(key);
    vi.setSystemTime(Date.now() + 10 * 60_000);
    expect(open().result.current.keyFor(RENT)).not.toBe(key);
  });

  test("an operation keeps its key until it is answered itself, whatever else is answered meanwhile", () => {
    const { result } = open();
    const [rent, gift] = [{ amountCents: 100n }, { amountCents: 200n }];
    const { keyFor, settle } = result.current;
    const keys = [keyFor(rent), keyFor(gift)];
    expect(new Set(keys).size).toBe(2);
    expect(keyFor(rent)).toBe(keys[0]);
    settle(rent);
    expect(keyFor(gift)).toBe(keys[1]);
    expect(keyFor(rent)).not.toBe(keys[0]);
    settle(gift);
    expect(keyFor(gift)).not.toBe(keys[1]);
  });
});
