/** How a serving process ends, and which errors it survives: with a server that only its promise tells. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../support/sources";
import { temporaryDir } from "../../support/temporaryDir";

const MODULE = path.join(ROOT, "embedded", "superviseProcess.ts");

/** Runs a program in which `start` supervises what is starting, and timers of the module are a hundred times as fast. */
function outcome(text: string) {
  const program = path.join(temporaryDir(), "serving.ts");
  writeFileSync(
    program,
    `import { superviseProcess } from ${JSON.stringify(MODULE)};
    const later = globalThis.setTimeout;
    globalThis.setTimeout = ((run: () => void, ms: number) => later(run, ms / 100)) as never;
    const start = (starting: Promise<unknown>) => superviseProcess(starting as never, console.log);
    const stop = () => process.kill(process.pid, "SIGTERM");
    later(() => process.exit(9), 30_000);
    ${text}`,
  );
  const args = [path.join(ROOT, "scripts", "run.mjs"), program];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stdout, stderr };
}

test("a start that goes on for ever does not keep it from stopping", () => {
  expect(outcome("start(new Promise(() => undefined)); stop();")).toEqual({
    status: 1,
    stdout: "Stopping failed: it is still starting\n",
    stderr: "",
  });
});

test("what the server does while it closes has its own limits", () => {
  const close = "() => new Promise((resolve) => later(resolve, 300))";
  const ended = outcome(`start(Promise.resolve({ close: ${close} })); stop();`);
  expect(ended).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("a server that cannot close says why", () => {
  const close = '() => Promise.reject(new Error("no"))';
  expect(outcome(`start(Promise.resolve({ close: ${close} })); stop();`)).toMatchObject({
    status: 1,
    stdout: "Stopping failed: Error: no\n",
  });
});

test("stray errors of functions are told, and end nothing", () => {
  const { status, stdout } = outcome(`start(Promise.resolve({ close: () => Promise.resolve() }));
    later(() => void Promise.reject("not awaited" as never), 20);
    later(() => { throw new Error("thrown later"); }, 40);
    later(stop, 60);`);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Unhandled: not awaited\nUnhandled: Error: thrown later\n/);
});
