/** What a build needs, when it is due, and how it fails: in a checkout with a small backend of its own. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { PATIENCE } from "../support/patience";
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
  fs.cpSync(path.join(ROOT, "package-lock.json"), path.join(root, "package-lock.json"));
  const version = (thread: string, main: string) => {
    write("embedded/db/applierThread.ts", thread);
    write("embedded/main.ts", main);
  };
  const threadFile = path.join(root, "dist", "server", "applierThread.mjs");
  const builds = pathToFileURL(path.join(root, "scripts", "lib", "builds.mjs")).href;
  return {
    root,
    write,
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
  for (const _again of [1, 2]) await expect(loadServer()).rejects.toThrow("Build failed");
  expect(builtThread()).toContain('"new"');
  version('console.log("old")', "export {}");
  await loadServer();
  expect(builtThread()).toContain('"old"');
});

test("what was built and is gone is built again", async () => {
  const { root, version, builds, builtThread } = smallCheckout();
  const { loadServer } = await builds();
  version('console.log("here")', "export {}");
  await loadServer();
  fs.rmSync(path.join(root, "dist", "server"), { recursive: true });
  await loadServer();
  expect(builtThread()).toContain('"here"');
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

/** Stands in for Vite: builds a page of what is built into the client, and is slow while it is told to be. */
const VITE = `import fs from "node:fs";
if (process.env.NODE_ENV !== "production") throw new Error("for development");
fs.appendFileSync("runs", "once\\n");
const names = fs.readdirSync("src");
const texts = names.map((name) => fs.readFileSync("src/" + name));
const page = [process.env.VITE_SITE_URL, names, texts].join(";").padEnd(1000);
fs.writeFileSync("read", "");
while (fs.existsSync("wait")) await new Promise((resolve) => setTimeout(resolve, 20));
fs.mkdirSync("dist/client", { recursive: true });
fs.writeFileSync("dist/client/index.html", page);`;

/** Stands in for the bundler of functions. */
const BUNDLER = `import fs from "node:fs";
export const bundleFunctions = async (_from, to) => {
  fs.mkdirSync(to, { recursive: true });
  fs.writeFileSync(to + "/manifest.json", "");
  fs.appendFileSync(to + "/../../bundled", "once\\n");
};`;

/** A checkout with pages as well, whose packages are its own; `build` builds everything there. */
function checkoutWithPages() {
  const { root, write, version } = smallCheckout();
  version("export {}", BUNDLER);
  fs.rmSync(path.join(root, "node_modules"));
  for (const name of ["esbuild", "@esbuild"]) {
    fs.mkdirSync(path.join(root, "node_modules"), { recursive: true });
    fs.symlinkSync(path.join(ROOT, "node_modules", name), path.join(root, "node_modules", name));
  }
  for (const name of ["package-lock.json", "node_modules/.package-lock.json"]) write(name, "{}");
  write("node_modules/vite/bin/vite.js", VITE);
  for (const folder of ["convex/shared", "convex/_generated", "public"]) {
    fs.mkdirSync(path.join(root, folder), { recursive: true });
  }
  for (const name of ["index.html", "vite.config.ts", "embedded/runtime/bundle.ts"])
    write(name, "");
  for (const name of ["sandbox", "standIns"]) write(`embedded/runtime/${name}.ts`, "");
  write("scripts/run.mjs", "");
  write("src/page.ts", "first");
  const build = async (env: NodeJS.ProcessEnv = {}) => {
    const args = [path.join(root, "scripts", "build.mjs")];
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
    let told = "";
    child.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
    await once(child, "close");
    return told;
  };
  const read = (name: string) => fs.readFileSync(path.join(root, name), "utf8");
  const timesIn = (name: string) => read(name).split("once").length - 1;
  return {
    root,
    write,
    build,
    page: () => read("dist/client/index.html").trim(),
    runs: () => timesIn("runs"),
    bundled: () => timesIn("bundled"),
  };
}

test("pages are built again when an address, a name, a text or a package of theirs changes, and not else", async () => {
  const { root, write, build, page, runs } = checkoutWithPages();
  const VITE_SITE_URL = "https://bank.example";
  expect(await build()).toBe("");
  await build();
  expect([page(), runs()]).toEqual([";page.ts;first", 1]);
  await build({ VITE_SITE_URL });
  expect(page()).toBe(`${VITE_SITE_URL};page.ts;first`);
  fs.renameSync(path.join(root, "src", "page.ts"), path.join(root, "src", "other.ts"));
  await build({ VITE_SITE_URL });
  expect(page()).toBe(`${VITE_SITE_URL};other.ts;first`);
  write("src/other.ts", "second");
  await build({ VITE_SITE_URL });
  expect([page(), runs()]).toEqual([`${VITE_SITE_URL};other.ts;second`, 4]);
  write("package-lock.json", "{ }");
  await build({ VITE_SITE_URL });
  expect(runs()).toBe(5);
});

test("pages are built again after a change of anything they are made of, functions of what bundles them", async () => {
  const { write, build, runs, bundled } = checkoutWithPages();
  await build();
  const ofPages = ["public/logo.svg", "index.html", "vite.config.ts", "scripts/prerender.ts"];
  const ofBoth = ["convex/shared/limits.ts", "convex/_generated/api.js"];
  const ofFunctions = ["bundle", "sandbox", "standIns"].map((n) => `embedded/runtime/${n}.ts`);
  for (const name of [...ofPages, ...ofBoth, ...ofFunctions]) {
    const before = [runs(), bundled()];
    write(name, "// changed");
    expect(await build()).toBe("");
    const due = [!ofFunctions.includes(name), !ofPages.includes(name)].map(Number);
    expect([name, runs() - before[0]!, bundled() - before[1]!]).toEqual([name, ...due]);
  }
});

test("what browsers may ask for in a compressed form has both", async () => {
  const { root, build } = checkoutWithPages();
  await build();
  const page = path.join(root, "dist", "client", "index.html");
  const text = fs.readFileSync(page, "utf8");
  expect(String(gunzipSync(fs.readFileSync(`${page}.gz`)))).toBe(text);
  expect(String(brotliDecompressSync(fs.readFileSync(`${page}.br`)))).toBe(text);
});

test("a source that changes during a build is in the next one", async () => {
  const { root, write, build, page } = checkoutWithPages();
  write("wait", "");
  const building = build();
  await vi.waitFor(() => expect(fs.existsSync(path.join(root, "read"))).toBe(true), PATIENCE);
  write("src/page.ts", "second");
  fs.rmSync(path.join(root, "wait"));
  await building;
  await build();
  expect(page()).toBe(";page.ts;second");
});

test("two builds at a time are one", async () => {
  const { root, write, build, runs } = checkoutWithPages();
  write("wait", "");
  const builds = [build(), build()];
  // Each has such a file only while it waits for the other.
  const waits = () => fs.readdirSync(path.join(root, "dist")).some((n) => n.startsWith(".lock."));
  const isBegun = () => fs.existsSync(path.join(root, "read")) && waits();
  await vi.waitFor(() => expect(isBegun()).toBe(true), PATIENCE);
  fs.rmSync(path.join(root, "wait"));
  expect((await Promise.all(builds)).join("")).toMatch(/^(Waiting for process \d+, .*\n)*$/);
  expect(runs()).toBe(1);
});

test("pages that cannot be built here are named, and those that were built stay", async () => {
  const { root, build, page } = checkoutWithPages();
  await build();
  fs.rmSync(path.join(root, "node_modules", "vite"), { recursive: true });
  expect(await build({ VITE_SITE_URL: "https://bank.example" })).toMatch(
    /^The pages were built from other sources, or with another .*VITE_SITE_URL.* Install it \(npm ci/,
  );
  expect(await build()).toBe("");
  expect(page()).toBe(";page.ts;first");
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
