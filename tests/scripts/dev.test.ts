/** `npm run dev`: when it starts its backend again, and how it ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../support/freePort";
import { PATIENCE } from "../support/patience";
import { ROOT } from "../support/sources";
import { temporaryDir } from "../support/temporaryDir";

vi.setConfig({ testTimeout: 4 * PATIENCE.timeout });

interface Ports {
  readonly pages: number;
  readonly backend: number;
}

function spawnDev(ports: Ports, given: NodeJS.ProcessEnv = {}) {
  const dataDir = temporaryDir();
  const env = { PORT: String(ports.pages), BACKEND_PORT: String(ports.backend) };
  const child = spawn(process.execPath, ["scripts/dev.mjs"], {
    cwd: ROOT,
    env: { ...process.env, ...env, DATA_DIR: dataDir, DEMO: "0", ...given },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let errors = "";
  child.stderr.on("data", (data) => (errors += String(data)));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  // Whatever is left over has its process group.
  onTestFinished(() => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // Nothing is.
    }
  });
  return { child, ended, dataDir, errors: () => errors };
}

const ask = (port: number) => fetch(`http://127.0.0.1:${port}/`);

/** Starts it, and returns it once it serves at both of its ports. */
async function startDev() {
  const ports = { pages: await freePort(), backend: await freePort() };
  const { child, ended, dataDir } = spawnDev(ports);
  const isServed = () => Promise.all(Object.values(ports).map(ask));
  await vi.waitFor(isServed, { timeout: 2 * PATIENCE.timeout, interval: 100 });
  return { child, ended, ports, dataDir };
}

/** Starts it on a folder that its backend refuses, and returns it once that has ended. */
async function startWithoutBackend() {
  const ports = { pages: await freePort(), backend: await freePort() };
  const dataDir = temporaryDir();
  const keys = path.join(dataDir, "keys.json");
  writeFileSync(keys, "{ dama");
  const { child, ended, errors } = spawnDev(ports, { DATA_DIR: dataDir });
  await vi.waitFor(() => expect(errors()).toContain(`${keys} is damaged`), PATIENCE);
  const children = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
  await vi.waitFor(() => expect(children().trim()).toMatch(/^\d+$/), PATIENCE);
  return { child, ended, ports, keys };
}

const saveSource = (file = "convex/schema.ts") => {
  const now = new Date();
  utimesSync(path.join(ROOT, file), now, now);
};

test.each(["SIGHUP", "SIGTERM"] as const)(
  "%s ends the pages and the backend as well",
  async (signal) => {
    const { child, ended, ports } = await startDev();
    child.kill(signal);
    expect(await ended).toBe(0);
    for (const port of Object.values(ports)) await expect(ask(port)).rejects.toThrow();
  },
);

test("it ends when its backend's port is taken", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port: backend } = other.address() as AddressInfo;
  const { ended, errors } = spawnDev({ pages: await freePort(), backend });
  expect(await ended).toBe(1);
  const reason = `Port ${backend} of 127.0.0.1 is taken by another program.\nSet BACKEND_PORT to another one.\n`;
  // What it wrote may arrive after its end.
  await vi.waitFor(() => expect(errors()).toContain(reason), PATIENCE);
});

test("it ends when its pages' port is taken", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port: pages } = other.address() as AddressInfo;
  const { ended } = spawnDev({ pages, backend: await freePort() });
  expect(await ended).toBe(1);
});

test("pages reach the backend through their own port, and are shown its errors", async () => {
  const { ports, dataDir } = await startDev();
  const origin = `http://127.0.0.1:${ports.pages}`;
  const call = async (name: string, args: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${origin}/api/query`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: origin, ...headers },
      body: JSON.stringify({ path: name, args, format: "json" }),
    });
    return (await answer.json()) as unknown;
  };
  const wrong = { errorMessage: expect.stringContaining("ArgumentValidationError") as string };
  expect(await call("viewer:get", { no: "such" })).toMatchObject(wrong);
  const { ADMIN_KEY } = JSON.parse(readFileSync(path.join(dataDir, "keys.json"), "utf8")) as {
    ADMIN_KEY: string;
  };
  const key = { Authorization: `Convex ${ADMIN_KEY}` };
  expect(await call("dev/seed:hasDemoPeople", {}, key)).toMatchObject({ value: false });
});

test("a backend that could not start is started after the next change of a source", async () => {
  const { ports, keys } = await startWithoutBackend();
  rmSync(keys);
  saveSource("embedded/main.ts");
  await vi.waitFor(() => ask(ports.backend), { timeout: 2 * PATIENCE.timeout, interval: 100 });
});

test("without a backend it can be stopped as well", async () => {
  const { child, ended } = await startWithoutBackend();
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("an address that pages cannot have is refused before any are served", async () => {
  const ports = { pages: await freePort(), backend: await freePort() };
  const { ended, errors } = spawnDev(ports, { VITE_SITE_URL: "here" });
  expect(await ended).toBe(1);
  const refusal = "VITE_SITE_URL must be an address such as https://your.host, got here\n";
  await vi.waitFor(() => expect(errors()).toBe(refusal), PATIENCE);
});

test("the backend does not outlive it, however it ends", async () => {
  const { child, ports } = await startDev();
  child.kill("SIGKILL");
  await vi.waitFor(() => expect(ask(ports.backend)).rejects.toThrow(), PATIENCE);
});

test("the backend starts again when one of its sources is saved, and when it was killed", async () => {
  const { dataDir } = await startDev();
  const pid = () => {
    const note = readFileSync(path.join(dataDir, "running.json"), "utf8");
    return (JSON.parse(note) as { pid: number }).pid;
  };
  const other = async (than: number) => {
    await vi.waitFor(() => expect(pid()).not.toBe(than), PATIENCE);
    return pid();
  };
  const first = await vi.waitFor(pid, PATIENCE);
  saveSource();
  const second = await other(first);
  process.kill(second, "SIGKILL");
  await other(second);
});
