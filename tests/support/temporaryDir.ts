/** Folders of tests. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is removed when the test ends. */
export function temporaryDir(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10 }));
  return dir;
}
