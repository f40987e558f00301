/**
 * The server of a simulation: log, database, runtime, scheduler, live queries and sync workers. All are the
 * real modules, opened on the simulated disk as `openDatabase` opens a folder.
 */
import {
  internalMutationGeneric,
  internalQueryGeneric,
  mutationGeneric,
  queryGeneric,
} from "convex/server";
import { decodeCommit } from "../../../embedded/db/commitRecord";
import type { TableInfo } from "../../../embedded/db/catalog";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { INDEX_PREFIX_LENGTH } from "../../../embedded/db/keyEncoding";
import { openOn } from "../../../embedded/db/openDatabase";
import type { DurableCommit, IndexKey } from "../../../embedded/db/types";
import { openBackend, type Backend } from "../../../embedded/runtime/backend";
import { memoryBlobs } from "../../../embedded/runtime/blobs";
import type { FunctionContext } from "../../../embedded/runtime/deployment";
import { newRequestId } from "../../../embedded/runtime/execution";
import { NO_IDENTITY } from "../../../embedded/runtime/identity";
import {
  analyseModules,
  type FunctionModules,
  type RegisteredFunction,
} from "../../../embedded/runtime/modules";
import { Runtime } from "../../../embedded/runtime/runtime";
import { captureContexts } from "../../../embedded/runtime/sdkContexts";
import { SYSTEM_TABLES } from "../../../embedded/runtime/systemTables";
import { Journal } from "../../../embedded/storage/journal";
import { QueryHub } from "../../../embedded/sync/hub";
import { SyncWorker, type CredentialCheck, type Transport } from "../../../embedded/sync/worker";
import { MODULES } from "../../convex/support";
import type { Disk } from "./disk";
import { schema, simFunctions } from "./functions";
import type { Endpoint } from "./network";
import type { World } from "./world";

const SEGMENT_BYTES = 128 * 1024;
const CONFLICT_PROBABILITY = 0.03;
const FOREVER_S = 1e12;

/** The bank's functions and the simulation's. */
export async function loadFunctions(): Promise<FunctionModules> {
  const loaded = new Map<string, Record<string, unknown>>();
  for (const [file, load] of Object.entries(MODULES)) {
    if (file.includes("/_generated/")) continue;
    const name = file.replace(/^.*\/convex\//u, "").replace(/\.[jt]s$/u, "");
    // Recurring jobs are run by the simulation.
    if (name !== "crons") loaded.set(name, (await load()) as Record<string, unknown>);
  }
  loaded.set("sim", simFunctions);
  loaded.set("schema", { default: schema });
  const contexts = captureContexts({
    queryGeneric,
    mutationGeneric,
    internalQueryGeneric,
    internalMutationGeneric,
  });
  return { ...analyseModules(loaded, ""), contexts };
}

/** Tokens here are `user|session`, because nothing forges them in a simulation. */
const authenticator: CredentialCheck = {
  userFromToken(token) {
    const [issuer, subject] = ["https://simulation.test", token];
    const attributes = { issuer, subject, tokenIdentifier: `${issuer}|${subject}` };
    const person = token.split("|")[0] ?? "";
    return Promise.resolve({ kind: "user", attributes, person, token, expiresAtS: FOREVER_S });
  },
  adminFromKey() {
    throw new Error("no administrators' keys here");
  },
};

/** What a server is started with. */
export interface Machine {
  readonly world: World;
  readonly disk: Disk;
  readonly folder: string;
  readonly functions: FunctionModules;
  /** How functions access the database. */
  readonly context: FunctionContext;
}

/** How far commits have been checked. */
export interface Seen {
  readonly lastTs: bigint;
  /** Ids of documents written by durable commits and not yet checked. */
  readonly written: Set<string>;
}

/** Returns the id of the document that a written key stands for, null for a key of any other index. */
function idReader({ catalog }: EmbeddedDatabase): (key: IndexKey) => string | null {
  const byPrefix = new Map<string, TableInfo>();
  return (key) => {
    if (byPrefix.size < catalog.tableCount) {
      for (const table of catalog.all()) byPrefix.set(table.byId.prefix, table);
    }
    return byPrefix.get(key.slice(0, INDEX_PREFIX_LENGTH))?.idOfKey(key) ?? null;
  };
}

export class Server implements Endpoint {
  readonly owner: string;
  readonly db: EmbeddedDatabase;
  readonly backend: Backend;
  /** Number of commits in the log that were not in the store. */
  readonly replayed: number;
  /** Called when a group of commits is durable, before any listener. */
  onNews: (commits: readonly DurableCommit[]) => void = () => undefined;
  private readonly hub: QueryHub;
  /** Runs the checks' queries, always with the native context. */
  private readonly checker: Runtime;

  private constructor(owner: string, db: EmbeddedDatabase, backend: Backend, replayed: number) {
    this.owner = owner;
    this.db = db;
    this.backend = backend;
    this.replayed = replayed;
    this.hub = new QueryHub(backend.runtime);
    const { deployment } = backend.runtime;
    const settings = { ...deployment.settings, context: "native" as const };
    this.checker = new Runtime({ ...deployment, settings });
  }

  /**
   * Starts a server. Commits in the log after the last one seen count as written at once, because the start
   * may be interrupted after applying them. @throws DamageError when the disk's content is considered damaged
   */
  static async boot(machine: Machine, owner: string, seen: Seen): Promise<Server> {
    const { world, disk, folder, functions, context } = machine;
    const store = disk.slowStore();
    const records: Buffer[] = [];
    const journal = Journal.open(folder, store.position, (record) => records.push(record), {
      firstSegmentBytes: SEGMENT_BYTES,
      segmentBytes: SEGMENT_BYTES,
      keptBytes: SEGMENT_BYTES * 4,
    });
    const options = { systemSchema: SYSTEM_TABLES, now: () => world.wallMs };
    const db = await openOn(store, journal, options);
    const commits = records.map(decodeCommit);
    db.replay(commits, true);
    for (const commit of commits) {
      if (commit.ts > seen.lastTs) for (const [id] of commit.documents) seen.written.add(id);
    }
    let server: Server | null = null;
    const idOf = idReader(db);
    db.onDurable((commits) => {
      for (const id of commits.flatMap(({ writes }) => writes.map(idOf))) {
        if (id !== null) seen.written.add(id);
      }
      server?.onNews(commits);
    });
    const backend = await openBackend({
      db,
      loadModules: () => Promise.resolve(functions),
      blobs: memoryBlobs(),
      env: { defaults: {}, fixed: {} },
      adminKeys: [],
      settings: {
        cloudUrl: "https://simulation.test",
        siteUrl: "https://simulation.test",
        instanceName: "simulation",
        context,
        ticker: (intervalMs, beat) => {
          const timer = setInterval(beat, intervalMs);
          return () => clearInterval(timer);
        },
        isRedacting: false,
        conflictProbability: CONFLICT_PROBABILITY,
        onLogLine: null,
      },
    });
    await backend.startJobs();
    return (server = new Server(owner, db, backend, records.length));
  }

  accept(transport: Transport, _client: string): SyncWorker {
    const { runtime } = this.backend;
    return new SyncWorker(runtime, this.hub, authenticator, transport, {
      ip: "192.0.2.1",
      userAgent: "simulation",
    });
  }

  /** Runs the simulation's code as a query (a check) or as a mutation of the backend. */
  async inside<T>(kind: "query" | "mutation", body: (ctx: never) => Promise<T>): Promise<T> {
    let result: T | undefined;
    const handler = async (ctx: never) => {
      result = await body(ctx);
      return null;
    };
    const make = kind === "query" ? queryGeneric : mutationGeneric;
    const { runtime } = this.backend;
    const call = {
      spec: {
        path: `inline:${kind}`,
        index: -1,
        kind,
        isPublic: false,
        args: { type: "any" as const },
        returns: null,
        registered: make(handler as never) as unknown as RegisteredFunction,
      },
      args: {},
      identity: NO_IDENTITY,
      request: {
        ip: null,
        userAgent: null,
        requestId: newRequestId(),
        authToken: null,
        scheduledFunctionId: null,
      },
      logs: runtime.newLogs(),
    };
    const outcome = await (kind === "query"
      ? this.checker.runQuery(call)
      : runtime.runMutation(call));
    if ("failure" in outcome) throw new Error(outcome.failure.text);
    return result as T;
  }
}
