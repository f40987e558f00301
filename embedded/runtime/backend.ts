/**
 * Assembles a backend: database, functions, schema, identity, scheduler, crons.
 *
 * Not here: the network protocols (server), command lines (main).
 */
import type { Database, SchemaJson } from "../db/types.ts";
import { Authenticator } from "./authenticator.ts";
import type { BlobStore } from "./blobs.ts";
import { Crons } from "./crons.ts";
import type { Deployment, DeploymentSettings } from "./deployment.ts";
import {
  changeEnvironment,
  functionEnvironment,
  storedEnvironment,
  type EnvironmentChange,
  type HostEnvironment,
} from "./environment.ts";
import { FileStorage } from "./files.ts";
import { handleHttpAction } from "./httpActions.ts";
import { NO_IDENTITY } from "./identity.ts";
import type { FunctionModules } from "./modules.ts";
import { Runtime } from "./runtime.ts";
import { installSandbox, setImportEnv } from "./sandbox.ts";
import { Scheduler } from "./scheduler.ts";
import { withSystemQueries } from "./systemQueries.ts";
import { newTimeLimits } from "./timeLimits.ts";
import { TokenVerifier } from "./tokens.ts";

interface BackendOptions {
  readonly db: Database;
  /** Loads the functions; called once the environment is known. */
  readonly loadModules: () => Promise<FunctionModules>;
  /** Functions that blocked the server (watchdog), with the time (ms) until which they are refused. */
  readonly blockedFunctions?: ReadonlyMap<string, number>;
  readonly blobs: BlobStore;
  /** Environment given by the host; `CONVEX_CLOUD_URL` and `CONVEX_SITE_URL` are added to what is fixed. */
  readonly env: HostEnvironment;
  /** Admin keys; without any, there is no administrator. */
  readonly adminKeys: readonly string[];
  /** Signs upload tokens. A random key is used when absent; then tokens do not survive a restart. */
  readonly uploadTokenKey?: Buffer;
  readonly settings: DeploymentSettings;
}

export interface Backend {
  readonly runtime: Runtime;
  readonly authenticator: Authenticator;
  readonly scheduler: Scheduler;
  readonly db: Database;
  changeEnvironment(changes: readonly EnvironmentChange[]): Promise<void>;
  /** Starts scheduled functions and crons. */
  startJobs(): Promise<void>;
  /** Stops jobs, waits up to two seconds for running work, and closes the database. */
  close(): Promise<void>;
}

/**
 * Time for running jobs and functions. The server has waited five seconds before, and containers get ten in
 * all.
 */
const DRAIN_MS = 2_000;

/** Waits for `work`, at most until the timeout. */
async function withinMs(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Requests to this deployment's own issuer are answered in process. */
function ownFetch(runtime: Runtime): (url: string) => Promise<Response> {
  return (url) => {
    const { siteUrl } = runtime.deployment.settings;
    if (url !== siteUrl && !url.startsWith(`${siteUrl}/`)) {
      return fetch(url, { signal: AbortSignal.timeout(10_000) });
    }
    return handleHttpAction(runtime, new Request(url), {
      identity: NO_IDENTITY,
      ip: null,
      userAgent: null,
    });
  };
}

/** Applies the schema. A change keeps everybody waiting, the longer the more there is: the operator is told. */
async function applySchema(
  db: Database,
  schema: SchemaJson | null,
  onLogLine: DeploymentSettings["onLogLine"],
): Promise<void> {
  const startMs = performance.now();
  let isChanged = false;
  const report = await db.applySchema(schema, () => {
    isChanged = true;
    onLogLine?.(
      "The schema has changed: documents are checked and indexes built before anybody is served.",
    );
  });
  if (!isChanged) return;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  const { documentsChecked, indexesBuilt, indexesDropped } = report;
  onLogLine?.(
    `Documents checked: ${documentsChecked}. Indexes built: ${indexesBuilt.length}, removed: ${indexesDropped.length}. ` +
      `It took ${seconds} s.`,
  );
}

/**
 * Opens a backend on a database.
 *
 * @throws Error when functions do not load, or their schema is refused; SchemaMismatchError when stored
 *   documents do not fit.
 */
export async function openBackend(options: BackendOptions): Promise<Backend> {
  const { db, settings } = options;
  installSandbox();
  const { cloudUrl: CONVEX_CLOUD_URL, siteUrl: CONVEX_SITE_URL } = settings;
  const { defaults, fixed } = options.env;
  const hostEnv = { defaults, fixed: { ...fixed, CONVEX_CLOUD_URL, CONVEX_SITE_URL } };
  const env = functionEnvironment(storedEnvironment(db), hostEnv);
  setImportEnv(env);
  const modules = await options.loadModules();
  const schema =
    modules.schemaJson === null ? null : (JSON.parse(modules.schemaJson) as SchemaJson);
  await applySchema(db, schema, settings.onLogLine);
  const deployment: Deployment = {
    db,
    modules: withSystemQueries(modules),
    files: new FileStorage(options.blobs, {
      origin: settings.cloudUrl,
      onLogLine: settings.onLogLine,
      ...(options.uploadTokenKey !== undefined && { tokenKey: options.uploadTokenKey }),
    }),
    settings,
    limits: newTimeLimits(settings.ticker),
    env,
    latestExport: null,
    blockedFunctions: options.blockedFunctions ?? new Map(),
  };
  const runtime = new Runtime(deployment);
  const stored = await options.blobs.list();
  const tokens = new TokenVerifier(modules.authProviders, ownFetch(runtime), settings.siteUrl);
  const scheduler = new Scheduler(runtime);
  const crons = new Crons(runtime);
  return {
    runtime,
    authenticator: new Authenticator(tokens, options.adminKeys),
    scheduler,
    db,
    async changeEnvironment(changes) {
      await changeEnvironment(runtime, deployment, hostEnv, changes);
      tokens.reset();
    },
    async startJobs() {
      await scheduler.start();
      await scheduler.startCleaning();
      await crons.start();
      const removed = await deployment.files.sweep(() => db.beginQuery(), stored);
      if (removed > 0) settings.onLogLine?.(`Removed ${removed} files that nothing refers to.`);
    },
    async close() {
      const deadlineMs = performance.now() + DRAIN_MS;
      await withinMs(Promise.all([scheduler.stop(), crons.stop()]), DRAIN_MS);
      await runtime.drain(deadlineMs - performance.now());
      await db.close();
    },
  };
}
