/**
 * The benchmark's own PostgreSQL: a fresh cluster in a temporary folder with fsync and default durability,
 * connected over a Unix socket. Uses Debian's `postgresql` if it is installed.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const VERSIONS_DIR = "/usr/lib/postgresql";

export interface Cluster {
  readonly socketDir: string;
  /** Pid of the server; its backends are its children. */
  readonly pid: number;
  stop(): void;
}

/** Folder of the newest installed version's programs, or undefined. */
export function findPostgres(): string | undefined {
  if (!existsSync(VERSIONS_DIR)) return undefined;
  const versions = readdirSync(VERSIONS_DIR).sort((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => path.join(VERSIONS_DIR, version, "bin"))
    .find((bin) => existsSync(path.join(bin, "initdb")));
}

/** Runs a program, as user `postgres` if we are root, because root may not run a cluster. */
function runAsOwner(command: string, args: string[]): void {
  const isRoot = process.getuid?.() === 0;
  const [program, ...rest] = isRoot
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", command, ...args]
    : [command, ...args];
  const result = spawnSync(program ?? command, rest, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (result.status !== 0) throw new Error(`${command}: ${result.stdout}${result.stderr}`);
}

/** Starts a cluster with only connections and memory tuned; durability stays on. */
export function startCluster(bin: string): Cluster {
  const dir = mkdtempSync(path.join(os.tmpdir(), "bench-postgres-"));
  chmodSync(dir, 0o777);
  const data = path.join(dir, "data");
  runAsOwner(path.join(bin, "initdb"), ["-D", data, "-U", "bench", "--auth=trust", "-E", "UTF8"]);
  const options =
    `-c listen_addresses= -c unix_socket_directories=${dir} -c fsync=on -c synchronous_commit=on ` +
    "-c shared_buffers=512MB -c max_connections=64 -c max_wal_size=4GB";
  const log = path.join(dir, "log");
  runAsOwner(path.join(bin, "pg_ctl"), ["-D", data, "-l", log, "-o", options, "-w", "start"]);
  return {
    socketDir: dir,
    pid: Number(readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n")[0]),
    stop() {
      runAsOwner(path.join(bin, "pg_ctl"), ["-D", data, "-m", "immediate", "-w", "stop"]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
