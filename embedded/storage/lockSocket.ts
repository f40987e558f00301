/**
 * Liveness across containers on one volume: a Unix socket in a folder, which accepts connections as long as
 * the listening process lives.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";

/** Timeout of a connection attempt. A holder that cannot be reached in this time counts as alive. */
const ASK_MAX_MS = 10_000;
const CODE_NOBODY = 3;

/**
 * Program of a child process that connects and reports the result by its exit code, because Node cannot
 * connect synchronously.
 */
const ASK = `require("node:net").connect(process.argv[1])
  .on("connect", () => process.exit(0))
  .on("error", ({ code }) => process.exit(/^(ECONNREFUSED|ENOENT)$/.test(code) ? ${CODE_NOBODY} : 1));`;

/**
 * Listens on the socket `name` in a folder, without keeping the process alive.
 * @returns the function that stops listening, or null where the file system does not support sockets
 */
export function listenIn(folder: string, name: string): (() => void) | null {
  const server = net.createServer((socket) => socket.destroy());
  server.on("error", () => undefined);
  server.unref();
  // A socket's path is limited to about a hundred bytes; a folder's path may be longer.
  const fd = fs.openSync(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  try {
    server.listen(`/proc/self/fd/${fd}/${name}`);
  } finally {
    fs.closeSync(fd);
  }
  if (!server.listening) return null;
  return () => {
    fs.rmSync(path.join(folder, name), { force: true });
    server.close();
  };
}

/** True unless it is certain that no process listens on the socket `name` in a folder. */
export function isListening(folder: string, name: string): boolean {
  const asked = spawnSync(process.execPath, ["-e", ASK, `./${path.basename(name)}`], {
    cwd: folder,
    env: {},
    stdio: "ignore",
    timeout: ASK_MAX_MS,
  });
  return asked.status !== CODE_NOBODY;
}
