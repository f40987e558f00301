/** How many connections the limit on open files leaves room for. */
import type { Server } from "node:net";
import { readIfThere } from "../storage/reading.ts";

/** Kept free for the store, the log, stored files, child processes and outgoing requests. */
const KEPT_FREE = 128;
const DROPS_TOLD_EVERY_MS = 60_000;

/** The limit on this process's open files; null where the system does not tell. */
function openFilesMax(): number | null {
  const [, max] = /^Max open files +(\d+)/m.exec(readIfThere("/proc/self/limits") ?? "") ?? [];
  return max === undefined ? null : Number(max);
}

/**
 * Refuses connections to a server before they take the descriptors that commits need: without one for its next
 * file, the log fails.
 * @param share the part of all connections that may be this server's
 */
export function limitConnections(
  server: Server,
  share: number,
  onLogLine: (line: string) => void,
): void {
  const filesMax = openFilesMax();
  if (filesMax === null) return;
  const max = Math.floor(Math.max(filesMax - KEPT_FREE, filesMax / 2) * share);
  server.maxConnections = max;
  let toldMs = -Infinity;
  server.on("drop", () => {
    const nowMs = performance.now();
    if (nowMs - toldMs < DROPS_TOLD_EVERY_MS) return;
    toldMs = nowMs;
    onLogLine(
      `[WARN] Connections are refused: ${max} are open, and there may be ${filesMax} open files (ulimit -n, LimitNOFILE).`,
    );
  });
}
