import { expect, test, vi } from "vitest";
import { untilAnswered } from "../../../src/lib/tokenRenewal";

/** Renewals that fail `failures` times, and what their caller gets. */
function renewals(failures: number, token: string | null) {
  vi.useFakeTimers();
  let left = failures;
  const fetchToken = vi.fn(async () => {
    if (left-- > 0) throw new TypeError("Failed to fetch");
    return Promise.resolve(token);
  });
  return { fetchToken, answer: untilAnswered(fetchToken)({ forceRefreshToken: true }) };
}

test("a token that could not be renewed is asked for again, at growing intervals", async () => {
  const { fetchToken, answer } = renewals(7, "new");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fetchToken).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2_000 + 4_000 + 8_000 + 16_000);
  expect(fetchToken).toHaveBeenCalledTimes(6);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(fetchToken).toHaveBeenCalledTimes(6);
  await vi.advanceTimersByTimeAsync(1 + 30_000);
  expect(await answer).toBe("new");
  expect(fetchToken.mock.calls).toEqual(Array(8).fill([{ forceRefreshToken: true }]));
});

test.each(["online", "storage"])("%s ends the wait", async (event) => {
  const { fetchToken, answer } = renewals(1, null);
  await vi.advanceTimersByTimeAsync(0);
  window.dispatchEvent(new Event(event));
  expect(await answer).toBeNull();
  expect(fetchToken).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});
