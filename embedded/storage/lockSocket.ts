/**
 * A sign of life that all containers on a volume can see: a Unix socket in a folder, on which the kernel
 * answers for the process that listens, as long as it lives.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";

/** Nobody is asked for longer; who cannot be asked counts as alive. */
const ASK_MAX_MS = 10_000;
const CODE_NOBODY = 3;

/** Connects and says by its exit code what it met. Node has no connecting without waiting. */
const ASK = `require("node:net").connect(process.argv[1])
  .on("connect", () => process.exit(0))
  .on("error", ({ code }) => process.exit(/^(ECONNREFUSED|ENOENT)$/.test(code) ? ${CODE_NOBODY} : 1));`;

/**
 * Listens on the socket `name` in a folder, without keeping the process.
 * @returns the function that ends it, or null where the file system takes no sockets
 */
export function listenIn(folder: string, name: string): (() => void) | null {
  const server = net.createServer((socket) => socket.destroy());
  server.on("error", () => undefined);
  server.unref();
  // A socket's path has some hundred bytes at most, a folder's may have more.
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

/** True unless it is certain that nobody listens on the socket `name` in a folder. */
export function isListening(folder: string, name: string): boolean {
  const asked = spawnSync(process.execPath, ["-e", ASK, `./${path.basename(name)}`], {
    cwd: folder,
    env: {},
    stdio: "ignore",
    timeout: ASK_MAX_MS,
  });
  return asked.status !== CODE_NOBODY;
}
