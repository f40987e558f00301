/** What `ctx.storage.store` takes, in a mutation as in an action. */
import { createHash } from "node:crypto";
import type { StorageActionWriter } from "convex/server";
import { describe, expect, test } from "vitest";
import { memoryBlobs } from "../../../embedded/runtime/blobs";
import { FileStorage } from "../../../embedded/runtime/files";
import { embeddedTest } from "../../../embedded/testing";

interface Ctx {
  readonly storage: StorageActionWriter;
}

const digest = (encoding: "hex" | "base64") =>
  createHash("sha256").update("picture").digest(encoding);

test("the bytes of a refused file are not kept", async () => {
  const blobs = memoryBlobs();
  const files = new FileStorage(blobs, { origin: "", onLogLine: null });
  const refused = files.keep(new Blob(["picture"]).stream(), "", "another");
  await expect(refused).rejects.toThrow("The sha256 of the file does not match");
  expect(await blobs.list()).toEqual([]);
});

describe.each(["a mutation", "an action"])("in %s", (where) => {
  function storing(type: string, sha256?: string) {
    const t = embeddedTest(undefined, {});
    const blob = new Blob(["picture"], { type });
    const store = ({ storage }: Ctx) => storage.store(blob, sha256 === undefined ? {} : { sha256 });
    const stored = where === "a mutation" ? t.run(store) : t.action(store);
    const kept = () => t.run((ctx) => ctx.db.system.query("_storage").collect());
    return { stored, kept };
  }

  test.each([digest("hex"), digest("base64"), undefined])(
    "bytes of the sha256 %s",
    async (sha256) => {
      const { stored, kept } = storing("image/webp", sha256);
      const _id = await stored;
      expect(await kept()).toMatchObject([{ _id, contentType: "image/webp" }]);
    },
  );

  test("no bytes of another sha256 than the one that is expected", async () => {
    const { stored, kept } = storing("image/webp", digest("hex").replace(/^./, "x"));
    await expect(stored).rejects.toThrow("The sha256 of the file does not match");
    expect(await kept()).toEqual([]);
  });

  test("no type with which a file could not be served", async () => {
    const { stored, kept } = storing("no type");
    await expect(stored).rejects.toThrow("type is not valid");
    expect(await kept()).toEqual([]);
  });
});
