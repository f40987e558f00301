/** Dependencies have exact versions and are used, and the README names every command. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, sources } from "../support/sources";

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const readText = (name: string): string => readFileSync(path.join(ROOT, name), "utf8");
const manifest = JSON.parse(readText("package.json")) as Manifest;
const packages = { ...manifest.dependencies, ...manifest.devDependencies };

/** Packages that other packages load: peers, engines, environments named in settings. */
const LOADED_BY_OTHERS = new Set([
  "@auth/core",
  "playwright-core",
  "@edge-runtime/vm",
  "typescript",
]);

/** All text that can name a package: sources, styles, settings, and the commands of package.json. */
const naming = [
  ...sources("convex", "src", "embedded", "scripts", "tests").map((file) => file.text),
  ...readdirSync(ROOT)
    .filter((name) => /\.(?:ts|js|mjs)$|^tsconfig.*\.json$/.test(name))
    .filter((name) => statSync(path.join(ROOT, name)).isFile())
    .map(readText),
  readText("src/index.css"),
];
const commands = Object.values(manifest.scripts).join("\n");

function isUsed(name: string): boolean {
  // Types count as used when their package is used, or when they are global (node).
  const subject = name.replace(/^@types\//, "");
  if (subject === "node" || LOADED_BY_OTHERS.has(name)) return true;
  const quoted = new RegExp(`["']${subject.replaceAll(".", "\\.")}(?:["'/])`);
  return naming.some((text) => quoted.test(text)) || commands.split(/\s+/).includes(subject);
}

describe("packages", () => {
  test("every version is exact", () => {
    const loose = Object.entries(packages).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  test("every package is used by a file or a command", () => {
    expect(Object.keys(packages).filter((name) => !isUsed(name))).toEqual([]);
  });

  test("the README names every command", () => {
    const readme = readText("README.md");
    const table = readme.split("## All commands")[1]?.split("\n## ")[0] ?? "";
    const named = new Set(table.match(/[a-z]+(?::[a-z0-9]+)?/g));
    expect(Object.keys(manifest.scripts).filter((name) => !named.has(name))).toEqual([]);
  });
});
