import react from "@vitejs/plugin-react";
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { PATIENCE } from "./tests/support/patience";

/** Settings of every project, which inherits none of those at the root. */
const EVERY_PROJECT = {
  // Test files in a worker share imports; reloading the product took half of the time.
  isolate: false,
  setupFiles: ["tests/support/restore.ts"],
  // Long, because tests on a busy machine are slow; only tests that never end should time out.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: PATIENCE },
};

/** From version 25 on, Node's own web storage conflicts with jsdom's. */
const WITHOUT_NODE_STORAGE = process.allowedNodeEnvironmentFlags.has("--webstorage")
  ? ["--no-webstorage"]
  : [];

const INTERFACE = {
  ...EVERY_PROJECT,
  environment: "jsdom",
  setupFiles: [...EVERY_PROJECT.setupFiles, "tests/support/uiSetup.ts"],
  execArgv: WITHOUT_NODE_STORAGE,
};

const interfaceFiles = readdirSync("tests/ui", { recursive: true, encoding: "utf8" })
  .map((name) => `tests/ui/${name}`)
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => ({ file, source: readFileSync(file, "utf8") }));
const filesOf = (files: typeof interfaceFiles) => files.map(({ file }) => file);

/** Test files that replace or reset modules of the interface: others would keep, or lose, what they have loaded. */
const REPLACING = interfaceFiles.filter(({ source }) =>
  /\bvi\.(mock|doMock|resetModules)\(/.test(source),
);
/** Those that are satisfied with the one stand-in for the server. */
const FAKED = interfaceFiles.filter(
  (file) => !REPLACING.includes(file) && file.source.includes("support/convexReact"),
);

export default defineConfig({
  test: {
    // convex-test has no log of its own for what functions say.
    onConsoleLog: (text) => !/^A transfer of \S+ was refused: /.test(text),
    // All cores: the default leaves one idle, which is half of a two-core machine.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          ...EVERY_PROJECT,
          name: "unit",
          environment: "node",
          globalSetup: "tests/support/runFolder.ts",
          include: ["tests/{repo,shared,embedded,conformance,scripts,attacks}/**/*.test.ts"],
        },
      },
      {
        test: {
          ...EVERY_PROJECT,
          name: "convex",
          environment: "edge-runtime",
          // Not setImmediate, which the embedded backend needs to go on.
          fakeTimers: {
            toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"],
          },
          include: ["tests/convex/**/*.test.ts"],
          server: { deps: { inline: ["convex-test"] } },
        },
      },
      {
        plugins: [react()],
        test: {
          ...INTERFACE,
          name: "ui",
          include: ["tests/ui/**/*.test.{ts,tsx}"],
          exclude: filesOf([...REPLACING, ...FAKED]),
        },
      },
      {
        plugins: [react()],
        test: {
          ...INTERFACE,
          name: "ui-faked",
          setupFiles: [...INTERFACE.setupFiles, "tests/support/withoutServer.ts"],
          include: filesOf(FAKED),
        },
      },
      {
        plugins: [react()],
        test: { ...INTERFACE, name: "ui-replacing", include: filesOf(REPLACING), isolate: true },
      },
    ],
  },
});
