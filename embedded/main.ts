/**
 * Opens a data folder, loads functions and serves them: what every command that runs a backend calls.
 *
 * Not here: command lines (scripts), building bundles ahead of time (scripts/build.mjs).
 */
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { JSONValue } from "convex/values";
import { openDatabase, openMemoryDatabase } from "./db/openDatabase.ts";
import type { Database } from "./db/types.ts";
import { openBackend, type Backend } from "./runtime/backend.ts";
import { directoryBlobs, memoryBlobs } from "./runtime/blobs.ts";
import { bundleFunctions } from "./runtime/bundle.ts";
import { loadBundle, unmarkedFunctions } from "./runtime/modules.ts";
import { DEFAULT_CONTEXT, type FunctionContext } from "./runtime/deployment.ts";
import { unforgeable } from "./runtime/logs.ts";
import { SYSTEM_TABLES } from "./runtime/systemTables.ts";
import { blockedFunctions, startWatchdog } from "./runtime/watchdog.ts";
import { accessPolicy } from "./server/access.ts";
import { BackendServer } from "./server/server.ts";

export { loadSecrets } from "./server/secrets.ts";
export { bundleFunctions } from "./runtime/bundle.ts";

export interface ServeOptions {
  /** Functions bundled ahead of time, or a folder to bundle now. */
  readonly functions: { readonly bundleDir: string } | { readonly functionsDir: string };
  /** Folder for everything that is kept; null keeps all in memory. */
  readonly dataDir: string | null;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly sitePort: number | null;
  /** Origin under which clients reach this server; null: the address it listens on. */
  readonly publicOrigin: string | null;
  /** Further origins of pages that may connect; null accepts and mirrors every origin. */
  readonly allowedOrigins: readonly string[] | null;
  readonly trustedProxy: string | null;
  readonly adminKey: string | null;
  readonly uploadTokenKey: string | null;
  /** The functions' environment, given the origin they are served at. */
  readonly env: (origin: string) => Readonly<Record<string, string>>;
  readonly isRedacting: boolean;
  /**
   * Property that every function which clients reach must carry: the project's builders put it there
   * together with a guard, so a function without it has none. Absent: any function is served.
   */
  readonly publicFunctionMark?: string;
  readonly staticDir: string | null;
  /** Origins of frames the pages may embed. */
  readonly frameOrigins: readonly string[];
  readonly messageMaxBytes: number;
  readonly uploadMaxBytes: number;
  readonly connectionsMax: number;
  readonly version: string;
  readonly conflictProbability?: number;
  readonly context?: FunctionContext;
  /**
   * Kills this process when a function blocks it for this long, for a supervisor to start it again; null
   * lets functions block. Needs a data folder.
   */
  readonly watchdogMs: number | null;
  readonly onLogLine: ((line: string) => void) | null;
  /** Runs after the functions are loaded and before the first request is served. */
  readonly beforeServing?: (host: ServingHost) => Promise<void>;
}

/** What `beforeServing` may use. */
export interface ServingHost {
  /** True when the database holds no document of the functions' tables. */
  readonly isEmpty: boolean;
  /** Runs a function with the backend's own authority. @throws Error with the function's failure. */
  run(path: string, args?: JSONValue): Promise<JSONValue>;
}

export interface RunningServer {
  readonly origin: string;
  readonly port: number;
  readonly sitePort: number | null;
  readonly backend: Backend;
  /** Drains and closes everything. Safe to call twice. */
  close(): Promise<void>;
}

const STRIKES_FILE = "blocked-functions.jsonl";

/** A TCP port nobody listens on now. */
async function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

function isEmpty(db: Database): boolean {
  const txn = db.beginQuery();
  try {
    return db
      .tables()
      .filter((table) => !table.name.startsWith("_"))
      .every((table) => txn.count(table.name) === 0);
  } finally {
    txn.close();
  }
}

function servingHost(backend: Backend): ServingHost {
  return {
    isEmpty: isEmpty(backend.db),
    async run(functionPath, args = {}) {
      const outcome = await backend.runtime.runInternal(functionPath, args);
      if ("failure" in outcome) throw new Error(`${functionPath}: ${outcome.failure.text}`);
      return JSON.parse(outcome.json) as JSONValue;
    },
  };
}

/** A server that was just killed may still be leaving its folder when the next one starts. */
const LOCK_WAIT_MS = 5_000;

async function openStore(options: ServeOptions): Promise<Database> {
  const { dataDir } = options;
  if (dataDir === null) return openMemoryDatabase({ systemSchema: SYSTEM_TABLES });
  const { db, report } = await openDatabase(path.join(dataDir, "db"), {
    systemSchema: SYSTEM_TABLES,
    lockWaitMs: LOCK_WAIT_MS,
  });
  if (report.replayedCommits > 0) {
    options.onLogLine?.(`Recovered ${report.replayedCommits} commits from the log.`);
  }
  return db;
}

function watch(options: ServeOptions, backend: Backend): (() => Promise<void>) | null {
  if (options.watchdogMs === null || options.dataDir === null) return null;
  return startWatchdog({
    stallMs: options.watchdogMs,
    strikesFile: path.join(options.dataDir, STRIKES_FILE),
    paths: [...backend.runtime.deployment.modules.functions.values()].map((spec) => spec.path),
  });
}

/** Origins under which the same listener is reached on this machine. */
function ownOrigins(host: string, port: number, publicOrigin: string): string[] {
  const local = host === "0.0.0.0" || host === "::" ? [] : [`http://${host}:${port}`];
  return [publicOrigin, ...local, `http://127.0.0.1:${port}`, `http://localhost:${port}`];
}

/** The functions to serve. @throws Error when they do not load or when one of them has no guard. */
async function loadFunctions(options: ServeOptions) {
  const modules = await loadBundle(await bundleDirOf(options));
  const { publicFunctionMark: mark } = options;
  const unmarked = mark === undefined ? [] : unmarkedFunctions(modules, mark);
  if (unmarked.length > 0) {
    throw new Error(`Refusing to serve functions that no guard protects: ${unmarked.join(", ")}`);
  }
  return modules;
}

/**
 * The folder of the bundle. A functions folder is bundled now, where nobody else writes: inside the
 * locked data folder, or a new one.
 */
async function bundleDirOf(options: ServeOptions): Promise<string> {
  if ("bundleDir" in options.functions) return options.functions.bundleDir;
  const outDir =
    options.dataDir === null
      ? await mkdtemp(path.join(os.tmpdir(), "embedded-functions-"))
      : path.join(options.dataDir, "functions");
  await bundleFunctions(options.functions.functionsDir, outDir);
  return outDir;
}

/**
 * Starts a backend and serves it.
 *
 * @throws Error with one clear line: functions that do not load, data that does not fit the schema, a
 *   data folder in use or damaged, a port in use.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const port = options.port === 0 ? await freePort(options.host) : options.port;
  const sitePort = options.sitePort === 0 ? await freePort(options.host) : options.sitePort;
  const shownHost =
    options.host === "0.0.0.0" || options.host === "::" ? "127.0.0.1" : options.host;
  const origin = options.publicOrigin ?? `http://${shownHost}:${port}`;
  const { dataDir } = options;
  const db = await openStore(options);
  const backend = await openBackend({
    db,
    loadModules: () => loadFunctions(options),
    blockedFunctions:
      dataDir === null ? new Set() : blockedFunctions(path.join(dataDir, STRIKES_FILE), Date.now()),
    blobs: dataDir === null ? memoryBlobs() : directoryBlobs(path.join(dataDir, "files")),
    env: options.env(origin),
    adminKey: options.adminKey,
    ...(options.uploadTokenKey !== null && {
      uploadTokenKey: Buffer.from(options.uploadTokenKey),
    }),
    settings: {
      cloudUrl: origin,
      siteUrl: sitePort === null ? origin : `http://${shownHost}:${sitePort}`,
      instanceName: "embedded",
      context: options.context ?? DEFAULT_CONTEXT,
      isRedacting: options.isRedacting,
      conflictProbability: options.conflictProbability ?? 0,
      onLogLine:
        options.onLogLine === null ? null : (line) => options.onLogLine?.(unforgeable(line)),
    },
  }).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  const origins =
    options.allowedOrigins === null
      ? null
      : [...ownOrigins(options.host, port, origin), ...options.allowedOrigins];
  const server = new BackendServer(backend, {
    host: options.host,
    port,
    sitePort,
    access: accessPolicy(origins, options.trustedProxy),
    staticDir: options.staticDir,
    content: { frames: options.frameOrigins, isSecure: origin.startsWith("https://") },
    messageMaxBytes: options.messageMaxBytes,
    uploadMaxBytes: options.uploadMaxBytes,
    connectionsMax: options.connectionsMax,
    version: options.version,
  });
  try {
    await options.beforeServing?.(servingHost(backend));
    await server.listen();
    await backend.startJobs();
  } catch (error) {
    await backend.close();
    throw error;
  }
  const stopWatchdog = watch(options, backend);
  let closing: Promise<void> | null = null;
  return {
    origin,
    port,
    sitePort,
    backend,
    close: () =>
      (closing ??= server
        .close()
        .then(() => stopWatchdog?.())
        .then(() => backend.close())),
  };
}

/**
 * Stops cleanly on SIGTERM and SIGINT, and keeps stray errors of user code (a promise nobody awaits,
 * a timer that throws) from ending the server.
 */
export function superviseProcess(server: RunningServer, onLogLine: (line: string) => void): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        onLogLine(`Stopping failed: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const report = (error: unknown): void =>
    onLogLine(
      `Unhandled: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  // Whoever read our output may be gone; telling them so would fail again, without end.
  const ignore = (): void => undefined;
  process.stdout.on("error", ignore);
  process.stderr.on("error", ignore);
  process.on("unhandledRejection", report);
  process.on("uncaughtException", report);
}
