/** A full disk makes a running server read-only: no copy that might fill it is begun. */
import fs, { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { replaceIn } from "../../support/builtins";
import { ADMIN_KEY, startTestServer } from "../server/testServer";
import { temporaryDir } from "../../support/temporaryDir";

/** As much as is read of the system's answer. */
const disk = { bsize: 1024 * 1024, bavail: 0, blocks: 2_000 };
beforeEach(() => replaceIn(fs, { statfsSync: (() => disk) as unknown as typeof fs.statfsSync }));

async function running() {
  const dataDir = temporaryDir();
  const { origin } = await startTestServer({ dataDir });
  const headers = { Authorization: `Convex ${ADMIN_KEY}` };
  const post = async (target: string) =>
    (await fetch(origin + target, { method: "POST", headers })).text();
  return { dataDir, post };
}

test.each([
  ["a backup", "/api/operator/backup", "backups"],
  ["an export", "/api/export/request/zip", "exports"],
])("%s is refused with the next step, and made once there is room", async (_, target, folder) => {
  const { dataDir, post } = await running();
  const made = () => {
    const parent = path.join(dataDir, folder);
    return existsSync(parent) ? readdirSync(parent).length : 0;
  };
  disk.bavail = 100;
  expect(await post(target)).toMatch(/needs 128 MiB, and 100 MiB are free: make room/);
  expect(made()).toBe(0);
  disk.bavail = 1_000;
  await post(target);
  expect(made()).toBe(1);
});
