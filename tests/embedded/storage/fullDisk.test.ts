import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryDir } from "../../support/temporaryDir";
import { ROOT } from "../../support/sources";

/** In the shell's blocks: 2 or 4 MiB, which the store's file reaches and the bundled program does not. */
const FILE_BLOCKS_MAX = 4096;

test("a batch that the disk refuses is rejected once, with the reason, and nothing else is thrown", () => {
  const folder = temporaryDir();
  const program = path.join(import.meta.dirname, "fullDisk.ts");
  const command = `ulimit -f ${FILE_BLOCKS_MAX} && exec "$@"`;
  const words = [process.execPath, path.join(ROOT, "scripts", "run.mjs"), program, folder];
  const { stdout } = spawnSync("sh", ["-c", command, "sh", ...words], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(JSON.parse(stdout)).toEqual({
    refusal: expect.stringMatching(/Input\/output error|File too large/) as string,
    thrown: [],
  });
});
