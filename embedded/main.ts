/**
 * Opens a data folder, loads functions and serves them: the entry point for every command that runs a
 * backend.
 *
 * Not here: command lines (scripts), building bundles ahead of time (scripts/build.mjs).
 */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { JSONValue } from "convex/values";
import { findApplierProgram } from "./db/applierOnThread.ts";
import { ReadOnlyError } from "./db/errors.ts";
import { openDatabase, openMemoryDatabase } from "./db/openDatabase.ts";
import type { EmbeddedDatabase } from "./db/database.ts";
import { CallMetrics } from "./operations/callMetrics.ts";
import {
  DB_FOLDER,
  FILES_FOLDER,
  forgetRunning,
  newOperatorKey,
  noteRunning,
} from "./operations/dataFolder.ts";
import { assertDatabase } from "./operations/staging.ts";
import { operatorHost } from "./operatorHost.ts";
import type { RunningServer, ServeOptions, ServingHost } from "./serveOptions.ts";
import { endOnUnknownOutcome, endForRestart } from "./superviseProcess.ts";
import { openBackend, type Backend } from "./runtime/backend.ts";
import { directoryBlobs, memoryBlobs } from "./runtime/blobs.ts";
import { bundleFunctions } from "./runtime/bundle.ts";
import { loadBundle, unmarkedFunctions } from "./runtime/modules.ts";
import { DEFAULT_CONTEXT, type DeploymentSettings } from "./runtime/deployment.ts";
import { unforgeable } from "./runtime/logs.ts";
import { SYSTEM_TABLES } from "./runtime/systemTables.ts";
import { blockedFunctions, startWatchdog } from "./runtime/watchdog.ts";
import { accessPolicy, originOf, ownOrigins } from "./server/access.ts";
import { ReservedPorts } from "./server/reservedPorts.ts";
import { BackendServer } from "./server/server.ts";

export type { RunningServer, ServeOptions } from "./serveOptions.ts";
export { superviseProcess } from "./superviseProcess.ts";
export { loadSecrets, readSecrets } from "./server/secrets.ts";
export { bundleFunctions } from "./runtime/bundle.ts";
export { restoreDeployment, verifyBackup } from "./operations/backup.ts";
export { KEYS_FILE, newBackupFolder, readRunning } from "./operations/dataFolder.ts";
export { makeFolder } from "./storage/newFolder.ts";
export { syncPath, syncTree } from "./storage/syncTree.ts";
export {
  inspectClock,
  inspectDisk,
  inspectFiles,
  inspectFolder,
  inspectLeftovers,
  inspectServers,
  inspectStore,
  type Finding,
} from "./operations/inspect.ts";
export { newLogger } from "./operations/logger.ts";
export {
  backupStopped,
  exportStopped,
  importStopped,
  rebuildStopped,
  WITHOUT_FILES,
} from "./operations/stopped.ts";

const STRIKES_FILE = "blocked-functions.jsonl";

function servingHost(backend: Backend): ServingHost {
  return {
    async run(functionPath, args = {}) {
      const outcome = await backend.runtime.runInternal(functionPath, args);
      if ("failure" in outcome) {
        const { text, data } = outcome.failure;
        throw new Error(`${functionPath}: ${text}`, { cause: data });
      }
      return JSON.parse(outcome.json) as JSONValue;
    },
  };
}

/** A server that was just killed may not have released its folder when the next one starts. */
const LOCK_WAIT_MS = 5_000;

async function openStore(options: ServeOptions): Promise<EmbeddedDatabase> {
  const { dataDir } = options;
  if (dataDir === null) return openMemoryDatabase({ systemSchema: SYSTEM_TABLES });
  assertDatabase(dataDir);
  const { db, report } = await openDatabase(path.join(dataDir, DB_FOLDER), {
    systemSchema: SYSTEM_TABLES,
    lockWaitMs: LOCK_WAIT_MS,
    applierProgram: findApplierProgram(),
    onUnknownOutcome: (error) => endOnUnknownOutcome(options, error),
    ...(options.watchdogMs !== null && {
      onUnwritable: (error) => endForRestart(options, error),
    }),
  });
  if (report.replayedCommits > 0) {
    options.onLogLine?.(`Recovered ${report.replayedCommits} commits from the log.`);
  }
  if (report.isRebuilt) {
    options.onLogLine?.("The store could not be written safely and was rebuilt.");
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

/** Loads the functions to serve. @throws Error when they do not load, or when a public one has no access check */
async function loadFunctions(options: ServeOptions, temporary: string[]) {
  const modules = await loadBundle(await bundleDirOf(options, temporary));
  const { publicFunctionMark: mark } = options;
  const unmarked = mark === undefined ? [] : unmarkedFunctions(modules, mark);
  if (unmarked.length > 0) {
    throw new Error(`Refusing to serve functions that no guard protects: ${unmarked.join(", ")}`);
  }
  return modules;
}

/**
 * The folder of the bundle. A functions folder is bundled now, to a place that no other process writes to:
 * inside the locked data folder, or a temporary folder, which is added to `temporary`.
 */
async function bundleDirOf(options: ServeOptions, temporary: string[]): Promise<string> {
  if ("bundleDir" in options.functions) return options.functions.bundleDir;
  const outDir =
    options.dataDir === null
      ? await mkdtemp(path.join(os.tmpdir(), "embedded-functions-"))
      : path.join(options.dataDir, "functions");
  if (options.dataDir === null) temporary.push(outDir);
  await bundleFunctions(options.functions.functionsDir, outDir);
  return outDir;
}

interface Opened {
  readonly db: EmbeddedDatabase;
  readonly backend: Backend;
  readonly metrics: CallMetrics;
  /** Call it after the backend is closed: functions may load a part of their bundle at any time. */
  readonly removeBundles: () => void;
}

/** Opens the backend of a data folder without serving it. @throws Error with one clear line */
async function openOn(
  options: ServeOptions,
  { cloudUrl, siteUrl }: Pick<DeploymentSettings, "cloudUrl" | "siteUrl">,
  operatorKey: string,
): Promise<Opened> {
  const { dataDir } = options;
  const metrics = new CallMetrics();
  const temporary: string[] = [];
  const removeBundles = (): void => {
    for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
  };
  const db = await openStore(options);
  try {
    const backend = await openBackend({
      db,
      loadModules: () => loadFunctions(options, temporary),
      blockedFunctions:
        dataDir === null ? new Map() : blockedFunctions(path.join(dataDir, STRIKES_FILE)),
      blobs: dataDir === null ? memoryBlobs() : directoryBlobs(path.join(dataDir, FILES_FOLDER)),
      env: { defaults: options.env(cloudUrl), fixed: options.fixedEnv ?? {} },
      adminKeys: [operatorKey, ...(options.adminKey === null ? [] : [options.adminKey])],
      ...(options.uploadTokenKey !== null && {
        uploadTokenKey: Buffer.from(options.uploadTokenKey),
      }),
      settings: {
        cloudUrl,
        siteUrl,
        instanceName: "embedded",
        context: options.context ?? DEFAULT_CONTEXT,
        isRedacting: options.isRedacting,
        conflictProbability: options.conflictProbability ?? 0,
        onLogLine:
          options.onLogLine === null
            ? null
            : (line, requestId) => options.onLogLine?.(unforgeable(line), requestId),
        onCall: (record) => {
          metrics.observe(record);
          options.onCall?.(record);
        },
      },
    });
    return { db, backend, metrics, removeBundles };
  } catch (error) {
    await db.close();
    removeBundles();
    throw error;
  }
}

/**
 * Opens a data folder like `serve`, applies the functions' schema, and serves nothing: for checks, imports
 * and first data while no server runs. Close the backend.
 * @throws Error with one clear line, as `serve`
 */
export async function openStopped(
  options: ServeOptions,
): Promise<{ db: EmbeddedDatabase; backend: Backend; host: ServingHost }> {
  const nowhere = { cloudUrl: "http://127.0.0.1", siteUrl: "http://127.0.0.1" };
  // No supervisor would restart this process.
  const { db, backend } = await openOn({ ...options, watchdogMs: null }, nowhere, newOperatorKey());
  return { db, backend, host: servingHost(backend) };
}

/**
 * Starts a backend and serves it.
 *
 * @throws Error with one clear line: functions that do not load, data that does not fit the schema, a data
 *   folder in use or damaged, a port in use
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const ports = new ReservedPorts();
  try {
    return await serveOn(options, ports);
  } finally {
    await ports.release();
  }
}

async function serveOn(options: ServeOptions, ports: ReservedPorts): Promise<RunningServer> {
  // In addresses an IPv6 host is in brackets; `listen` needs it without.
  const host = options.host.replace(/^\[(.*)\]$/, "$1");
  const port = await ports.choose(options.port, host);
  const sitePort = options.sitePort === null ? null : await ports.choose(options.sitePort, host);
  const shownHost = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const origin = options.publicOrigin ?? originOf(shownHost, port);
  const siteUrl = sitePort === null ? origin : originOf(shownHost, sitePort);
  const { dataDir } = options;
  const origins =
    options.allowedOrigins === null
      ? null
      : [...ownOrigins(host, port, origin), ...options.allowedOrigins];
  // Before anything is opened: it refuses malformed origins.
  const access = accessPolicy(origins, options.trustedProxy);
  const operatorKey = newOperatorKey();
  const opened = await openOn(options, { cloudUrl: origin, siteUrl }, operatorKey);
  const { db, backend, metrics, removeBundles } = opened;
  if (db.isReadOnly !== null) {
    await backend.close();
    removeBundles();
    throw new ReadOnlyError(`Refusing to start: ${db.isReadOnly}`);
  }
  const operatorOptions = {
    db,
    backend,
    metrics,
    version: options.version,
    gaugesFunction: options.gaugesFunction ?? null,
    load: () => server.load,
  };
  const server: BackendServer = new BackendServer(backend, {
    host,
    port,
    sitePort,
    access,
    staticDir: options.staticDir,
    content: { frames: options.frameOrigins, isSecure: origin.startsWith("https://") },
    messageMaxBytes: options.messageMaxBytes,
    uploadMaxBytes: options.uploadMaxBytes,
    connectionsMax: options.connectionsMax,
    connectionsPerAddressMax: options.connectionsPerAddressMax ?? Infinity,
    version: options.version,
    operator: dataDir === null ? null : operatorHost({ ...operatorOptions, dataDir }),
  });
  let stopWatchdog: ReturnType<typeof watch> = null;
  const end = async (): Promise<void> => {
    await server.close();
    if (dataDir !== null) forgetRunning(dataDir);
    await stopWatchdog?.();
    await backend.close();
    removeBundles();
  };
  try {
    // Before anything is written, but after a previous server has released the folder.
    await ports.check(options.port, host);
    await options.beforeServing?.(servingHost(backend));
    // Before any code that may block: clients resend at once, and jobs are due.
    stopWatchdog = watch(options, backend);
    await ports.release();
    await server.listen();
    await backend.startJobs();
    if (dataDir !== null) {
      noteRunning(dataDir, { pid: process.pid, url: originOf(shownHost, port), operatorKey });
    }
  } catch (error) {
    await end();
    throw error;
  }
  let closing: Promise<void> | null = null;
  return { origin, port, sitePort, backend, close: () => (closing ??= end()) };
}
