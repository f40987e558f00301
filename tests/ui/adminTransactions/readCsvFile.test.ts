import { expect, onTestFinished, test, vi } from "vitest";
import { gridDefaults } from "../../../src/features/adminTransactions/commandRows";
import { readCsvFile } from "../../../src/features/adminTransactions/readCsvFile";

test("a file whose reader does not arrive is given up after a minute, in words", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(() => void vi.unstubAllGlobals());
  const terminate = vi.fn();
  vi.stubGlobal(
    "Worker",
    class {
      postMessage = () => undefined;
      terminate = terminate;
    },
  );
  const reading = readCsvFile(new File(["Account"], "rows.csv"), gridDefaults());
  await vi.advanceTimersByTimeAsync(59_999);
  expect(terminate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect((await reading).parse).toMatchObject({
    isOk: false,
    problem: expect.stringContaining("reload the page") as string,
  });
  expect(terminate).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
