/** When the bytes of a stored file count as durable, and when they are gone. */
import files, { type FileHandle } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { directoryBlobs } from "../../../embedded/runtime/blobs";
import { replaceIn } from "../../support/builtins";
import { temporaryDir } from "../../support/temporaryDir";

const steps: string[] = [];

beforeEach(() => {
  steps.length = 0;
  const { open, rename } = files;
  replaceIn(files, {
    open: async (file, ...rest) => {
      const handle = await open(file, ...rest);
      const sync = handle.sync.bind(handle);
      const noted: FileHandle["sync"] = async () => {
        steps.push(`sync ${path.basename(String(file))}`);
        await sync();
      };
      return Object.assign(handle, { sync: noted });
    },
    rename: async (from, to) => {
      steps.push(`rename to ${path.basename(String(to))}`);
      await rename(from, to);
    },
  });
});

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

test("a removed file stays for as long as one of several copies is being made", async () => {
  const blobs = directoryBlobs(path.join(temporaryDir(), "files"));
  await blobs.write("a", picture(), 100);
  const [first, second] = [blobs.hold(), blobs.hold()];
  await blobs.remove("a");
  first();
  await blobs.write("b", picture(), 100);
  expect((await blobs.list()).sort()).toEqual(["a", "b"]);
  second();
  await expect.poll(() => blobs.list()).toEqual(["b"]);
});

test("a file may have as many bytes as are allowed, and of a larger one nothing is left", async () => {
  const blobs = directoryBlobs(path.join(temporaryDir(), "files"));
  await blobs.write("a", picture(), "picture".length);
  await expect(blobs.write("b", picture(), "picture".length - 1)).rejects.toThrow("larger than 6");
  expect(await blobs.list()).toEqual(["a"]);
});
