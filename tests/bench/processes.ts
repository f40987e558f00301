/**
 * The benchmark's processes and folders: created here, and removed when the benchmark ends in any way.
 */
import { fork, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

export const ROOT = path.resolve(import.meta.dirname, "..", "..");
const PROGRAMS_DIR = path.join(ROOT, "tests", "bench", "programs");
const LINE_TIMEOUT_MS = 900_000;
const { SERVER_NODE_OPTIONS } = (await import(
  pathToFileURL(path.join(ROOT, "scripts", "lib", "supervise.mjs")).href
)) as { SERVER_NODE_OPTIONS: string[] };

/** Clean-up functions, run newest first. */
const undo = new Set<() => void>();

/** Runs `clean` when the benchmark ends, unless the returned function already ran it. */
export function atEnd(clean: () => void): () => void {
  const once = (): void => {
    if (!undo.delete(once)) return;
    clean();
  };
  undo.add(once);
  return once;
}

/** Ends every process and removes every folder. */
export function cleanUp(): void {
  for (const clean of [...undo].reverse()) {
    try {
      clean();
    } catch (error) {
      console.error(`cleaning up: ${String(error)}`);
    }
  }
}

process.on("exit", cleanUp);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => process.exit(130));
}

/** A folder that is removed when the benchmark ends, or earlier by `remove`. */
export function temporaryFolder(): { readonly dir: string; readonly remove: () => void } {
  const dir = mkdtempSync(path.join(os.tmpdir(), "bench-"));
  return { dir, remove: atEnd(() => rmSync(dir, { recursive: true, force: true })) };
}

let programsDir: string | null = null;
let plans = 0;

/** Bundles the programs once, inside node_modules, so that their packages are found. */
export async function buildPrograms(): Promise<void> {
  const outdir = path.join(ROOT, "node_modules", ".cache", `bench-${process.pid}`);
  mkdirSync(outdir, { recursive: true });
  atEnd(() => rmSync(outdir, { recursive: true, force: true }));
  await build({
    entryPoints: [
      ...readdirSync(PROGRAMS_DIR).map((name) => path.join(PROGRAMS_DIR, name)),
      path.join(ROOT, "embedded", "db", "applierThread.ts"),
    ],
    entryNames: "[name]",
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  programsDir = outdir;
}

export interface Program {
  readonly pid: number;
  /** Resolves with the rest of the first line that starts with `word`. Rejects when the process ends before. */
  line(word: string): Promise<string>;
  /** Sends a question and resolves with the answer. */
  ask(question: string): Promise<unknown>;
  /** Ends it with a signal and waits. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** `BENCH_PROFILE=ourServer:/tmp/x` writes CPU profiles of that program into that folder. */
function profiling(name: string): string[] {
  const [program, dir] = process.env.BENCH_PROFILE?.split(":") ?? [];
  return program === name && dir !== undefined ? ["--cpu-prof", `--cpu-prof-dir=${dir}`] : [];
}

/** Starts one of `programs/` with a plan. It ends with this process. */
export function start(name: string, plan: object, nodeOptions: string[] = []): Program {
  if (programsDir === null) throw new Error("buildPrograms comes first");
  plans += 1;
  const planFile = path.join(programsDir, `plan-${plans}.json`);
  writeFileSync(planFile, JSON.stringify(plan));
  const child = fork(path.join(programsDir, `${name}.mjs`), [planFile], {
    cwd: ROOT,
    execArgv: [...nodeOptions, ...profiling(name)],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const forget = atEnd(() => child.kill("SIGKILL"));
  child.once("exit", forget);
  return watch(name, child);
}

/** Starts a server, ours or a peer's, with the product's own Node options. */
export function startServer(name: string, plan: object, nodeOptions: string[] = []): Program {
  return start(name, plan, [...SERVER_NODE_OPTIONS, ...nodeOptions]);
}

function watch(name: string, child: ChildProcess): Program {
  let output = "";
  let errors = "";
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    changed();
  });
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    child.once("close", () => {
      isGone = true;
      changed();
      resolve();
    });
  });
  const find = (word: string): string | undefined => {
    const whole = output.slice(0, output.lastIndexOf("\n") + 1);
    const found = whole.split("\n").find((text) => text.startsWith(`${word} `) || text === word);
    return found?.slice(word.length + 1);
  };
  return {
    pid: child.pid ?? 0,
    line: (word) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => settle(() => reject(new Error(`${name}: no "${word}" in time\n${errors}`))),
          LINE_TIMEOUT_MS,
        );
        const settle = (act: () => void): void => {
          clearTimeout(timer);
          listeners.delete(look);
          act();
        };
        const look = (): void => {
          const found = find(word);
          if (found !== undefined) settle(() => resolve(found));
          else if (isGone) {
            settle(() => reject(new Error(`${name} ended before "${word}"\n${errors}${output}`)));
          }
        };
        listeners.add(look);
        look();
      }),
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (isGone) return reject(new Error(`${name} is gone\n${errors}`));
        const done = (message: unknown): void => {
          const { question: about, answer } = message as { question: string; answer: unknown };
          if (about !== question) return;
          child.off("message", done);
          resolve(answer);
        };
        child.on("message", done);
        child.send(question);
      }),
    async stop(signal = "SIGTERM") {
      if (!isGone) child.kill(signal);
      await gone;
    },
  };
}
