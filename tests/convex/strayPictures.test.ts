/** Pictures that were stored without a database record: they must be deleted all the same. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { internal as functions } from "../../convex/_generated/api";
import * as depositImages from "../../convex/model/depositImages";
import { newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example");
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The start of a PNG: signature and dimensions. */
function png(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, 1200);
  view.setUint32(20, 600);
  return bytes;
}
const upload = () =>
  ada.as.fetch("/api/deposit-images?side=front", { method: "POST", body: png() });
const storedIds = async () => {
  const stored = await t.run((ctx) => ctx.db.system.query("_storage").take(100));
  return stored.map(({ _id }) => _id);
};

test("a picture that cannot be recorded is deleted", async () => {
  vi.spyOn(depositImages, "recordImage").mockRejectedValueOnce(new Error("not now"));
  // A backend answers with an error where convex-test throws it.
  await upload().catch(() => undefined);
  expect(depositImages.recordImage).toHaveBeenCalledOnce();
  expect(await storedIds()).toEqual([]);
  expect((await upload()).status).toBe(200);
  expect(await storedIds()).toHaveLength(1);
});

test("an unrecorded picture is deleted after a day, a recorded one is not", async () => {
  const nowMs = Date.now();
  vi.useFakeTimers({ now: nowMs });
  const ids = await t.run(async (ctx) => {
    const stored = [];
    for (let index = 0; index < 55; index++) stored.push(await ctx.storage.store(new Blob(["x"])));
    const image = { side: "front", contentType: "image/png", sizeBytes: 1, createdAt: 0 } as const;
    // As many as are looked at in one batch, and one of the next.
    for (const storageId of [...stored.slice(0, 50), stored[52]!]) {
      await ctx.db.insert("depositImages", { ...image, userId: ada.userId, storageId });
    }
    return stored;
  });
  vi.setSystemTime(nowMs + 86_400_000);
  const recent = await t.run((ctx) => ctx.storage.store(new Blob(["x"])));
  vi.setSystemTime(nowMs + 90_000_000);
  await t.mutation(functions.mobileDeposits.sweepFiles, {});
  await t.finishAllScheduledFunctions(() => vi.runAllTimers());
  expect(await storedIds()).toEqual([...ids.slice(0, 50), ids[52], recent]);
});

test("a record whose picture is gone keeps no other from being swept, nor a new picture from being sent", async () => {
  const nowMs = Date.now();
  vi.useFakeTimers({ now: nowMs });
  await t.run(async (ctx) => {
    const image = { side: "front", contentType: "image/png", sizeBytes: 1, createdAt: 0 } as const;
    for (let index = 0; index < 10; index++) {
      const storageId = await ctx.storage.store(new Blob(["x"]));
      await ctx.db.insert("depositImages", { ...image, userId: ada.userId, storageId });
      // As in an archive that was made without its files.
      if (index === 0) await ctx.storage.delete(storageId);
    }
  });
  expect((await upload()).status).toBe(200);
  vi.setSystemTime(nowMs + 90_000_000);
  await t.mutation(functions.mobileDeposits.sweepImages, {});
  expect(await storedIds()).toEqual([]);
});
