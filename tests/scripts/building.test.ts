/** What a build needs, when it is due, and how it fails: in a checkout with a small backend of its own. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { temporaryDir } from "../support/temporaryDir";
import { ROOT } from "../support/sources";

interface Builds {
  readonly loadServer: () => Promise<{ readonly name?: string }>;
}

/** Writes a checkout; `version` writes the sources of its applier thread and of its backend. */
function smallCheckout() {
  const root = temporaryDir();
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  };
  fs.cpSync(path.join(ROOT, "scripts"), path.join(root, "scripts"), { recursive: true });
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"));
  write("package.json", '{ "type": "module" }');
  write("package-lock.json", "{}");
  // Older than what is installed.
  fs.utimesSync(path.join(root, "package-lock.json"), 0, 0);
  const version = (thread: string, main: string) => {
    write("embedded/db/applierThread.ts", thread);
    write("embedded/main.ts", main);
  };
  const threadFile = path.join(root, "dist", "server", "applierThread.mjs");
  const builds = pathToFileURL(path.join(root, "scripts", "lib", "builds.mjs")).href;
  return {
    root,
    version,
    builds: () => import(builds) as Promise<Builds>,
    builtThread: () => fs.readFileSync(threadFile, "utf8"),
    builtMs: () => fs.statSync(threadFile).mtimeMs,
  };
}

test("an interrupted build is repeated, even from the sources of the build before it", async () => {
  const { version, builds, builtThread } = smallCheckout();
  const { loadServer } = await builds();
  version('console.log("old")', "export {}");
  await loadServer();
  version('console.log("new")', "export {");
  await expect(loadServer()).rejects.toThrow("Build failed");
  expect(builtThread()).toContain('"new"');
  version('console.log("old")', "export {}");
  await loadServer();
  expect(builtThread()).toContain('"old"');
});

test("a copy whose files only have newer times, as in an image, is not rebuilt", async () => {
  const { root, version, builds, builtMs } = smallCheckout();
  const { loadServer } = await builds();
  version("export {}", "export {}");
  await loadServer();
  const firstMs = builtMs();
  const later = new Date(Date.now() + 60_000);
  fs.utimesSync(path.join(root, "embedded", "main.ts"), later, later);
  await loadServer();
  expect(builtMs()).toBe(firstMs);
});

test("what cannot be built is told once, with its place", () => {
  const { root, version } = smallCheckout();
  version("export {}", "export {");
  const command = path.join(root, "scripts", "build.mjs");
  const { status, stderr } = spawnSync(process.execPath, [command], { encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Build failed with 1 error:\n\S*main\.ts:1:8: ERROR: .*\n$/);
});

// A wrong one would be noticed in people's browsers only.
test.each([
  ["VITE_CONVEX_URL", "here.convex.cloud", "must be an address such as https://your.host, got"],
  ["VITE_CONVEX_URL", "", "is empty: give it a value, or leave it out"],
  ["VITE_SITE_URL", "your.host", "must be an address such as https://your.host, got"],
])("a build with %s=%s is refused before it begins", (name, value, why) => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/build.mjs"], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, [name]: value },
  });
  expect([status, stderr]).toEqual([1, `${`${name} ${why} ${value}`.trim()}\n`]);
});
