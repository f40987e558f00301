/** What is on the heap, for tests that measure it. Not every test process is started with `--expose-gc`. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Collects all garbage at once. */
export const collectGarbage = runInNewContext("gc") as () => void;

/** The bytes of the heap that are in use once garbage is collected. */
export function usedHeapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
