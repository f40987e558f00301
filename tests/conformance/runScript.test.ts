/** `scripts/run.mjs`, by which our TypeScript programs run. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryDir } from "../embedded/server/testServer";
import { ROOT } from "../support/sources";

test("a program gets its arguments and its own folder, its exit code is kept, and no bundle is left", () => {
  const folder = temporaryDir();
  const name = path.basename(folder);
  const program = path.join(folder, `${name}.ts`);
  fs.writeFileSync(
    program,
    "console.log(import.meta.dirname, process.argv[2] as string);\nprocess.exitCode = 3;\n",
  );
  const args = [path.join(ROOT, "scripts", "run.mjs"), program, "given"];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  expect([status, stdout]).toEqual([3, `${folder} given\n`]);
  const bundles = fs.readdirSync(path.join(ROOT, "node_modules", ".cache", "run"));
  expect(bundles.filter((bundle) => bundle.startsWith(name))).toEqual([]);
});
