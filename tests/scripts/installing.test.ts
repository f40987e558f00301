/** The packages that each command installs when they are missing or old. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryDir } from "../support/temporaryDir";
import { ROOT } from "../support/sources";

/** Empties node_modules as npm does, also behind a link. */
const NPM = `#!/bin/sh
rm -rf node_modules/*
`;

test("packages behind a link belong to somebody else, and stay", () => {
  const checkout = temporaryDir();
  const others = temporaryDir();
  const tools = temporaryDir();
  fs.cpSync(path.join(ROOT, "scripts", "lib"), path.join(checkout, "scripts", "lib"), {
    recursive: true,
  });
  fs.writeFileSync(path.join(checkout, "package-lock.json"), "{}");
  fs.writeFileSync(path.join(others, "package"), "");
  fs.symlinkSync(others, path.join(checkout, "node_modules"));
  fs.writeFileSync(path.join(tools, "npm"), NPM, { mode: 0o755 });
  const install = JSON.stringify(path.join(checkout, "scripts", "lib", "install.mjs"));
  const program = `await (await import(${install})).ensurePackages();`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${tools}:${process.env.PATH}` },
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(fs.readdirSync(others)).toEqual(["package"]);
});
