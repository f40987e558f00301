/** A backup, an export or an import that failed holds nothing any longer. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test, vi, type MockInstance } from "vitest";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { openDatabase } from "../../../embedded/db/openDatabase";
import { exportDeployment, importDeployment } from "../../../embedded/operations/archive";
import { backupDeployment } from "../../../embedded/operations/backup";
import { directoryBlobs, type BlobStore } from "../../../embedded/runtime/blobs";
import { SYSTEM_TABLES } from "../../../embedded/runtime/systemTables";
import { mutate } from "../db/support";
import { temporaryDir } from "../../support/temporaryDir";

const UUID = "00000000-0000-4000-8000-000000000000";

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("bytes");
}

function fail(): never {
  throw new Error("no further");
}

let dataDir = "";
let target = "";
let db: EmbeddedDatabase;
let blobs: BlobStore;
beforeEach(async () => {
  dataDir = temporaryDir();
  target = path.join(dataDir, "target");
  blobs = directoryBlobs(path.join(dataDir, "files"));
  ({ db } = await openDatabase(path.join(dataDir, "db"), { systemSchema: SYSTEM_TABLES }));
  onTestFinished(() => db.close());
  await db.applySchema(null);
  await mutate(db, (tx) => tx.insertValue("notes", {}));
  await blobs.write(UUID, bytes(), 100);
});

/** How often this process has the target open. */
function openTargets(): number {
  return fs.readdirSync("/proc/self/fd").filter((fd) => {
    const link = `/proc/self/fd/${fd}`;
    return fs.existsSync(link) && fs.readlinkSync(link).startsWith(target);
  }).length;
}

const TRANSFERS: readonly [name: string, transfer: (onProgress: () => void) => Promise<unknown>][] =
  [
    ["a backup", (onProgress) => backupDeployment({ db, blobs, dataDir }, target, onProgress)],
    [
      "an export",
      (onProgress) => exportDeployment({ db, blobs }, target, { includeFiles: true, onProgress }),
    ],
  ];

test.each(TRANSFERS)("stored files can be removed after %s, failed or not", async (_, transfer) => {
  await expect(transfer(fail)).rejects.toThrow("no further");
  expect(fs.existsSync(target)).toBe(false);
  await blobs.remove(UUID);
  expect(await blobs.list()).toEqual([]);
  await blobs.write(UUID, bytes(), 100);
  await transfer(() => undefined);
  await blobs.remove(UUID);
  expect(await blobs.list()).toEqual([]);
});

test("an export, failed or not, does not keep the pages of its snapshot", async () => {
  const snapshot = db.store.snapshot.bind(db.store);
  const releases: MockInstance[] = [];
  vi.spyOn(db.store, "snapshot").mockImplementation(() => {
    const taken = snapshot();
    releases.push(vi.spyOn(taken, "release"));
    return taken;
  });
  const apply = async (): Promise<void> => {
    await mutate(db, (tx) => tx.insertValue("notes", {}));
    await db.drain();
  };
  for (const onProgress of [fail, () => undefined]) {
    await apply();
    const of = releases.at(-1)!;
    fs.rmSync(target, { force: true });
    await exportDeployment({ db, blobs }, target, { includeFiles: true, onProgress }).catch(
      () => undefined,
    );
    expect(of).not.toHaveBeenCalled();
    await apply();
    expect(of).toHaveBeenCalledOnce();
  }
});

test.skipIf(process.platform !== "linux")(
  "no archive stays open after an export or an import that failed",
  async () => {
    const options = { includeFiles: true };
    const failing = exportDeployment({ db, blobs }, target, { ...options, onProgress: fail });
    await expect(failing).rejects.toThrow("no further");
    expect(openTargets()).toBe(0);
    await exportDeployment({ db, blobs }, target, options);
    const importing = importDeployment(target, { db, blobs, newUuid: () => UUID });
    await expect(importing).rejects.toThrow("not empty");
    expect(openTargets()).toBe(0);
  },
);

test("an archive that cannot get its name is removed, and the command says so", async () => {
  await db.close();
  const preload = path.join(dataDir, "unnamed.cjs");
  fs.writeFileSync(
    preload,
    `require("node:fs").renameSync = () => { throw Object.assign(new Error(), { code: "EIO" }); };
    require("node:module").syncBuiltinESMExports();`,
  );
  const file = `${target}.zip`;
  const args = ["--require", preload, "scripts/export.mjs", "--data", dataDir, "--to", file];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stderr.split("\n")[0]]).toEqual([
    1,
    `${file} cannot be made (EIO): name another file.`,
  ]);
  expect(fs.readdirSync(dataDir).filter((name) => name.includes(".zip"))).toEqual([]);
});
