/** When the bytes of a stored file count as durable. */
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { directoryBlobs } from "../../../embedded/runtime/blobs";
import { temporaryDir } from "../server/testServer";

const steps: string[] = [];

vi.mock(import("node:fs/promises"), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    open: async (file, ...rest) => {
      const handle = await original.open(file, ...rest);
      const sync = handle.sync.bind(handle);
      const noted: FileHandle["sync"] = async () => {
        steps.push(`sync ${path.basename(String(file))}`);
        await sync();
      };
      return Object.assign(handle, { sync: noted });
    },
    rename: async (from, to) => {
      steps.push(`rename to ${path.basename(String(to))}`);
      await original.rename(from, to);
    },
  };
});

beforeEach(() => void (steps.length = 0));

async function* picture(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("picture");
}

test("a file is on the disk with its name before it counts, and so is a new folder", async () => {
  const parent = temporaryDir();
  const blobs = directoryBlobs(path.join(parent, "files"));
  await blobs.write("a", picture(), 100);
  await blobs.write("b", picture(), 100);
  expect(steps).toEqual([
    `sync ${path.basename(parent)}`,
    "sync a.part",
    "rename to a",
    "sync files",
    "sync b.part",
    "rename to b",
    "sync files",
  ]);
});
