/** Collects garbage at once, for tests that measure the heap. Not every test process is started with `--expose-gc`. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
export const collectGarbage = runInNewContext("gc") as () => void;
