import { expect, test, vi } from "vitest";
import { untilAnswered, withPatience } from "../../../src/lib/tokenRenewal";

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

test("a renewal that a dead line swallows is given up after half a minute, and asked for again", async () => {
  vi.useFakeTimers();
  const renewed = new Response("renewed");
  const swallowed: typeof fetch = (_address, init) =>
    new Promise((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    });
  const line = vi.fn<typeof fetch>(swallowed);
  const fetchAny = withPatience(line);
  const fetchToken = async () => (await fetchAny("https://bank.example/api/action")).text();
  const answer = untilAnswered(fetchToken)({ forceRefreshToken: true });
  await vi.advanceTimersByTimeAsync(30_000);
  line.mockResolvedValue(renewed);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await answer).toBe("renewed");
  expect(line).toHaveBeenCalledTimes(2);
});

test("nothing else that the page fetches has a time limit", async () => {
  const line = vi.fn<typeof fetch>(async () => new Response("file"));
  const init = { method: "HEAD" };
  await withPatience(line)("https://bank.example/assets/form.js", init);
  expect(line).toHaveBeenCalledExactlyOnceWith("https://bank.example/assets/form.js", init);
});
