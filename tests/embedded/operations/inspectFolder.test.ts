/** What doctor says about a data folder that others can read. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { inspectFolder } from "../../../embedded/main";
import { temporaryDir } from "../../support/temporaryDir";

test("the command that takes a folder from others can be pasted, whatever the folder is called", () => {
  const dataDir = path.join(temporaryDir(), "the bank's data");
  fs.mkdirSync(path.join(dataDir, "db"), { recursive: true });
  fs.writeFileSync(path.join(dataDir, "keys.json"), "{}");
  fs.chmodSync(dataDir, 0o755);
  fs.chmodSync(path.join(dataDir, "keys.json"), 0o644);
  const found = inspectFolder(dataDir);
  expect(found.map(({ status }) => status)).toEqual(["warning", "warning"]);
  for (const { next = "" } of found) execFileSync("sh", ["-c", next]);
  expect(inspectFolder(dataDir)).toMatchObject([{ status: "ok" }]);
});
