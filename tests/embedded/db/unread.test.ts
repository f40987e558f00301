/** The system refuses to read the log, for a while or for good, while commits are applied from it. */
import { expect, onTestFinished, test, vi } from "vitest";
import { DirectApplier } from "../../../embedded/db/applier";
import { Catalog } from "../../../embedded/db/catalog";
import { ApplierEndedError } from "../../../embedded/db/errors";
import { MemoryStore } from "../../../embedded/storage/memoryStore";
import { DamageError } from "../../../embedded/storage/orderedStore";

const ORDER = { until: 0, tables: [], state: { ts: "7", creationTime: 7, nextIndexId: 1 } };

const systemError = (code: string) =>
  Object.assign(new Error(`${code}: open '1.log'`), { code, syscall: "open" });

/** Applies from a log that cannot be read so many times, with time that passes at once. */
function applying(error: Error, times: number) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const read = vi.fn(() => {
    if (read.mock.calls.length <= times) throw error;
    return [];
  });
  const applier = new DirectApplier(new MemoryStore(), { read }, new Catalog());
  const outcome = applier.apply(ORDER).then(
    () => "applied",
    (reason: unknown) => reason,
  );
  return { applier, read, outcome };
}

async function outcomeOf(error: Error, times: number): Promise<unknown> {
  const { outcome } = applying(error, times);
  await vi.runAllTimersAsync();
  return outcome;
}

test.each(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM", "EIO"])(
  "%s that passes is waited out",
  async (code) => {
    expect(await outcomeOf(systemError(code), 5)).toBe("applied");
  },
);

test("what this process has used up for good leads to another one, with the reason", async () => {
  const outcome = await outcomeOf(systemError("EMFILE"), Infinity);
  expect(outcome).toBeInstanceOf(ApplierEndedError);
  expect(outcome).toMatchObject({ message: "The log cannot be read: EMFILE: open '1.log'" });
});

test("a disk that does not recover is passed on as it is", async () => {
  const error = systemError("EIO");
  expect(await outcomeOf(error, Infinity)).toBe(error);
});

test("a database that closes tries once more at once, and not again", async () => {
  const { applier, read, outcome } = applying(systemError("EIO"), Infinity);
  await vi.advanceTimersByTimeAsync(500);
  const tries = read.mock.calls.length;
  applier.endPauses();
  expect(await outcome).toMatchObject({ code: "EIO" });
  expect(read).toHaveBeenCalledTimes(tries + 1);
  await expect(applier.apply(ORDER)).rejects.toThrow("EIO");
  expect(vi.getTimerCount()).toBe(0);
});

test("damage does not pass: the log is read once", async () => {
  const { read, outcome } = applying(new DamageError("damaged"), Infinity);
  expect(await outcome).toBeInstanceOf(DamageError);
  expect(read).toHaveBeenCalledOnce();
});
