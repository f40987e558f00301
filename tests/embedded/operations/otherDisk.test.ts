/** `npm run backup` from a running server to another disk, where a finished folder can only be copied. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { verifyBackup } from "../../../embedded/main";
import { temporaryDir } from "../../support/temporaryDir";
import { startTestServer } from "../server/testServer";

/** Runs the command with a `target` on another disk, as its calls of the system tell; `then` changes more of them. */
async function backup(then = "") {
  const dataDir = temporaryDir();
  const folder = temporaryDir();
  await startTestServer({ dataDir });
  const preload = path.join(folder, "otherDisk.cjs");
  fs.writeFileSync(
    preload,
    `const fs = require("node:fs");
    fs.renameSync = () => { throw Object.assign(new Error("EXDEV"), { code: "EXDEV" }); };
    ${then}
    require("node:module").syncBuiltinESMExports();`,
  );
  const target = path.join(folder, "backup");
  const args = ["--require", preload, "scripts/backup.mjs", "--data", dataDir, "--to", target];
  const child = spawn(process.execPath, args);
  const [errors] = await Promise.all([text(child.stderr), once(child, "exit")]);
  const backups = path.join(dataDir, "backups");
  return { code: child.exitCode, errors, target, left: fs.readdirSync(backups), backups };
}

test("the copy is whole and for its owner alone, and takes the place of the original", async () => {
  const { code, errors, target, left } = await backup();
  expect([code, errors, left]).toEqual([0, "", []]);
  expect(fs.statSync(target).mode & 0o777).toBe(0o700);
  await expect(verifyBackup(target)).resolves.toMatchObject({
    position: expect.any(Number) as number,
  });
});

test("a copy that is not whole is removed, and the original is named", async () => {
  const { code, errors, target, left, backups } = await backup(
    `const { cpSync, truncateSync } = fs;
    fs.cpSync = (from, to, options) => {
      cpSync(from, to, options);
      truncateSync(to + "/db/store/data.mdb", 4096);
    };`,
  );
  expect([code, fs.existsSync(target), left.length]).toEqual([1, false, 1]);
  const original = path.join(backups, left[0]!);
  expect(errors).toContain(`\nThe backup itself is whole: ${original}.\n`);
  await verifyBackup(original);
});
