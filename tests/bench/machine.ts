/** Measurements of the machine: disk sync times and CPU time of processes. Linux only. */
import {
  closeSync,
  fdatasyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { median } from "./statistics";

const PROBE_SYNCS = 60;
const PROBE_BYTES = 4096;
/** Unit of the times in /proc/PID/stat on Linux. */
const TICKS_PER_SECOND = 100;

/** Median time of one `fdatasync` after overwriting 4 KiB of a preallocated file, in ms. */
export function fdatasyncMs(): number {
  const file = path.join(os.tmpdir(), `bench-probe-${process.pid}`);
  const handle = openSync(file, "w");
  const block = Buffer.alloc(PROBE_BYTES, 7);
  try {
    for (let at = 0; at < PROBE_SYNCS; at += 1)
      writeSync(handle, block, 0, PROBE_BYTES, at * PROBE_BYTES);
    fdatasyncSync(handle);
    const timesMs = Array.from({ length: PROBE_SYNCS }, (_, at) => {
      writeSync(handle, block, 0, PROBE_BYTES, at * PROBE_BYTES);
      const startedAt = performance.now();
      fdatasyncSync(handle);
      return performance.now() - startedAt;
    });
    return median(timesMs);
  } finally {
    closeSync(handle);
    rmSync(file);
  }
}

/** Fields of /proc/PID/stat after the name (which may contain anything), or null when the process has ended. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

/** A process and its descendants that still run. */
function family(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statOf(Number(name))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (const member of found) found.push(...(children.get(member) ?? []));
  return found;
}

/** CPU seconds, user and system, of processes and their descendants. */
export function cpuSeconds(...pids: readonly number[]): number {
  const ticks = pids
    .flatMap(family)
    .map((pid) => statOf(pid))
    .reduce((sum, stat) => sum + Number(stat?.[11] ?? 0) + Number(stat?.[12] ?? 0), 0);
  return ticks / TICKS_PER_SECOND;
}

/** CPU seconds used by the whole machine. */
export function machineBusySeconds(): number {
  const [, ...ticks] = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "").split(/\s+/);
  // user nice system idle iowait irq softirq
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = ticks.map(Number);
  return (user + nice + system + irq + softIrq) / TICKS_PER_SECOND;
}

/** Cores, memory, system and Node; nothing that names the machine. */
export function describeMachine(): string {
  const memoryGib = Math.round(os.totalmem() / 2 ** 30);
  return `${os.cpus().length} cores, ${memoryGib} GiB, ${os.type()} ${os.arch()}, Node ${process.versions.node}`;
}
