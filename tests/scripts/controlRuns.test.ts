/** `npm run test:attacks -- --controls`, as its terminal ends it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { PATIENCE } from "../support/patience";
import { ROOT } from "../support/sources";
import { temporaryDir } from "../support/temporaryDir";

/** The processes that work in a folder. */
const processesIn = (folder: string): string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });

test(
  "a stopped control run leaves no copy of the sources behind, and no process in one",
  async () => {
    const TMPDIR = temporaryDir();
    // Wherever this runs need not be a repository.
    const bin = temporaryDir();
    const list = "find package.json scripts convex embedded src -type f -print0";
    writeFileSync(path.join(bin, "git"), `#!/bin/sh\nexec ${list}\n`, { mode: 0o700 });
    const PATH = `${bin}:${process.env.PATH}`;
    const child = spawn(process.execPath, ["scripts/testAttacks.mjs", "--controls", "26"], {
      cwd: ROOT,
      env: { ...process.env, TMPDIR, PATH, CHROMIUM_PATH: process.execPath },
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    await vi.waitFor(() => expect(processesIn(TMPDIR)).not.toEqual([]), PATIENCE);
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(readdirSync(TMPDIR)).toEqual([]);
    await vi.waitFor(() => expect(processesIn(TMPDIR)).toEqual([]), PATIENCE);
  },
  2 * PATIENCE.timeout,
);
