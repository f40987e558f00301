/** What a supervisor makes of the end of its script, and how a stop reaches that: with scripts of a few lines. */
import { spawn } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { PATIENCE } from "../support/patience";
import { ROOT } from "../support/sources";
import { temporaryDir } from "../support/temporaryDir";

const LIB = pathToFileURL(path.join(ROOT, "scripts", "lib")).href;

/** Supervises a script that tells its process id; `pids` are those of its processes so far. */
function supervised(text: string, stderr: "pipe" | number = "pipe") {
  const script = path.join(temporaryDir(), "script.mjs");
  writeFileSync(script, `${text}\nconsole.log(process.pid);\nsetInterval(() => undefined, 1000);`);
  // As a command does that reads options, which must not lose its output.
  const program = `import { supervise } from ${JSON.stringify(`${LIB}/supervise.mjs`)};
    (await import(${JSON.stringify(`${LIB}/args.mjs`)})).parseOptions([], "");
    supervise(${JSON.stringify(script)}, "/the/data");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", stderr],
  });
  let said = "";
  let told = "";
  child.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (told += chunk.toString()));
  const pids = () => (said.match(/^\d+$/gm) ?? []).map(Number);
  onTestFinished(() => {
    child.kill("SIGKILL");
    for (const pid of pids()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const started = async (times: number) => {
    await vi.waitFor(() => expect(pids()).toHaveLength(times), PATIENCE);
    return pids()[times - 1]!;
  };
  return { child, ended, pids, started, said: () => said, told: () => told };
}

test("the script's exit code becomes its own", async () => {
  expect(await supervised("process.exit(7);").ended).toBe(7);
});

test("a stop that ends a script before it could handle one is no failure", async () => {
  const { child, ended, started } = supervised("");
  await started(1);
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});

test("a script that crashes while it stops is not started again, and needs no advice", async () => {
  const { child, ended, pids, started, said, told } = supervised(
    'process.on("SIGTERM", () => console.log("stopping"));',
  );
  const pid = await started(1);
  child.kill("SIGTERM");
  await vi.waitFor(() => expect(said()).toContain("stopping"), PATIENCE);
  process.kill(pid, "SIGABRT");
  expect(await ended).toBe(1);
  expect([pids(), told()]).toEqual([[pid], ""]);
});

test.each(["SIGKILL", "SIGBUS", "SIGSEGV"] as const)(
  "after %s it is started again, and can then be stopped in order",
  async (signal) => {
    const { child, ended, started, told } = supervised(
      'process.on("SIGTERM", () => process.exit(0));',
    );
    process.kill(await started(1), signal);
    await started(2);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(told()).toMatch(/^The server (was killed|crashed) .*: starting again\.\n$/);
  },
);

test("it starts its script again also when there is no room for what it tells", async () => {
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const { started } = supervised("", full);
  process.kill(await started(1), "SIGKILL");
  await started(2);
});
