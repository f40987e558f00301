/** What is brought to the disk, and when. */
import fs from "node:fs";
import os from "node:os";
import { onTestFinished, vi } from "vitest";

/** Calls `onSync` with the path of every file and folder that is synced, until the test ends. */
export async function watchSyncs(onSync: (file: string) => void): Promise<void> {
  const handle = await fs.promises.open(os.tmpdir());
  const prototype = Object.getPrototypeOf(handle) as fs.promises.FileHandle;
  await handle.close();
  const sync = vi.spyOn(prototype, "sync").mockImplementation(async function (
    this: fs.promises.FileHandle,
  ) {
    onSync(fs.readlinkSync(`/proc/self/fd/${this.fd}`));
  });
  onTestFinished(() => sync.mockRestore());
}
