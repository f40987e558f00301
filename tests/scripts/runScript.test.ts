/** `scripts/run.mjs`, by which our TypeScript programs run. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryDir } from "../support/temporaryDir";
import { ROOT } from "../support/sources";

/** Runs a program that consists of `text`; `left` are the bundles of it that are still there. */
function run(text: string) {
  const folder = temporaryDir();
  const name = path.basename(folder);
  const program = path.join(folder, `${name}.ts`);
  fs.writeFileSync(program, text);
  const args = [path.join(ROOT, "scripts", "run.mjs"), program, "given"];
  const ended = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  const bundles = fs.readdirSync(path.join(ROOT, "node_modules", ".cache", "run"));
  return { ...ended, folder, left: bundles.filter((bundle) => bundle.startsWith(name)) };
}

test("a program gets its arguments and its own folder, its exit code is kept, and no bundle is left", () => {
  const { status, stdout, folder, left } = run(
    "console.log(import.meta.dirname, process.argv[2] as string);\nprocess.exitCode = 3;\n",
  );
  expect([status, stdout]).toEqual([3, `${folder} given\n`]);
  expect(left).toEqual([]);
});

test("a program that a signal ends leaves no bundle, either", () => {
  const { signal, left } = run(
    'process.kill(process.pid, "SIGTERM");\nsetInterval(() => undefined, 1000);\n',
  );
  expect([signal, left]).toEqual(["SIGTERM", []]);
});

test("an error names the place in the program", () => {
  expect(run('const reason: string = "Odd";\nthrow new Error(reason);\n').stderr).toMatch(
    /Error: Odd\n\s+at .*\.ts:2:7/,
  );
});
