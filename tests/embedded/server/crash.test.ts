/** A server whose process crashes, as one without memory does. */
import fs from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { PATIENCE } from "../../support/patience";
import { startSupervised } from "./supervised";
import { temporaryDir } from "./testServer";

test("is started again, unless it crashes again within a minute", async () => {
  const dataDir = temporaryDir();
  const { child, isUp, said } = await startSupervised(dataDir);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const pidOf = () =>
    (JSON.parse(fs.readFileSync(path.join(dataDir, "running.json"), "utf8")) as { pid: number })
      .pid;
  const first = await vi.waitFor(pidOf, PATIENCE);
  process.kill(first, "SIGABRT");
  await vi.waitFor(() => expect(pidOf()).not.toBe(first), PATIENCE);
  await isUp();
  expect(said()).toContain("The server crashed (SIGABRT; out of memory?): starting again.");
  process.kill(pidOf(), "SIGABRT");
  expect(await ended).toBe(1);
}, 120_000);
