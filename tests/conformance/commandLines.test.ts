/** Commands that were told something they cannot do: refused with the cause, before anything is begun. */
import { spawnSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { ROOT } from "../support/sources";

/** One that is not refused begins its work, which may take long. */
const COMMAND_TIMEOUT_MS = 20_000;
vi.setConfig({ testTimeout: 2 * COMMAND_TIMEOUT_MS });

test.each([
  ["keys", ["--env", "--from", "."], "--env and --from exclude each other"],
  ["test:attacks", ["--controls", "63"], "--controls takes numbers from 1 to 62, got 63"],
  ["test:attacks", ["--controls", "1", "x"], "--controls takes numbers from 1 to 62, got x"],
  ["test", ["tests/shared"], "Unexpected argument tests/shared"],
  ["screenshots", ["nowhere"], "There is no screen with nowhere in its name"],
  ["lighthouse", ["--url", "here"], "--url must be an address such as https://your.host, got here"],
  [
    "lighthouse",
    ["--url", "http://127.0.0.1:1", "--paths", "about"],
    "--paths must begin with /, got about",
  ],
])("npm run %s with %j is refused", (command, args, cause) => {
  const { status, stderr } = spawnSync("npm", ["run", "--silent", command, "--", ...args], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: COMMAND_TIMEOUT_MS,
  });
  expect(status).toBe(1);
  expect(stderr.split("\n")[0]).toBe(cause);
});
