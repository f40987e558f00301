import { expect, onTestFinished, test, vi } from "vitest";
import { sendContact } from "../../../src/features/marketing/contact/sendContact";

const MESSAGE = {
  name: "Ada Miles",
  email: "ada@mail.example",
  subject: "account",
  message: "How do I open a joint account?",
  preferredContact: "phone",
  requestKey: "0123456789abcdef0123456789abcdef",
} as const;

test("a message that a dead line swallows is without an answer after a minute", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(() => void vi.unstubAllGlobals());
  const swallow = (_address: string, { signal }: RequestInit) =>
    new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    });
  vi.stubGlobal("fetch", swallow);
  const outcome = sendContact(MESSAGE);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await outcome).toEqual({ refusal: undefined });
  vi.stubGlobal("fetch", async () => Response.json({ value: { reference: "C-7Q4K2M" } }));
  expect(await sendContact(MESSAGE)).toEqual({ reference: "C-7Q4K2M" });
  expect(vi.getTimerCount()).toBe(0);
});
