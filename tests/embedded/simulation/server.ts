/**
 * The server of a simulation: log, database, runtime, scheduler, live queries and sync workers, all the
 * real modules, opened on the simulated disk as `openDatabase` opens a folder.
 */
import {
  internalMutationGeneric,
  internalQueryGeneric,
  mutationGeneric,
  queryGeneric,
} from "convex/server";
import { jsonToConvex, type JSONValue, type Value } from "convex/values";
import { decodeCommit } from "../../../embedded/db/commitRecord";
import { openOn } from "../../../embedded/db/openDatabase";
import { openBackend, type Backend } from "../../../embedded/runtime/backend";
import { memoryBlobs } from "../../../embedded/runtime/blobs";
import { newRequestId } from "../../../embedded/runtime/execution";
import { NO_IDENTITY } from "../../../embedded/runtime/identity";
import {
  analyseModules,
  type FunctionModules,
  type RegisteredFunction,
} from "../../../embedded/runtime/modules";
import { captureContexts } from "../../../embedded/runtime/sdkContexts";
import { SYSTEM_TABLES } from "../../../embedded/runtime/systemTables";
import { Journal } from "../../../embedded/storage/journal";
import { QueryHub } from "../../../embedded/sync/hub";
import { SyncWorker, type Authenticator, type Transport } from "../../../embedded/sync/worker";
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
    // Recurring jobs run when the simulation says so.
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

/** Tokens here are `user|session`: nobody forges them in a simulation. */
const authenticator: Authenticator = {
  userFromToken(token) {
    const [issuer, subject] = ["https://simulation.test", token];
    const attributes = { issuer, subject, tokenIdentifier: `${issuer}|${subject}` };
    return Promise.resolve({ kind: "user", attributes, token, expiresAtS: FOREVER_S });
  },
  adminFromKey() {
    throw new Error("no administrators' keys here");
  },
};

export class Server implements Endpoint {
  readonly owner: string;
  readonly backend: Backend;
  readonly replayed: number;
  private readonly hub: QueryHub;

  private constructor(owner: string, backend: Backend, replayed: number) {
    this.owner = owner;
    this.backend = backend;
    this.replayed = replayed;
    this.hub = new QueryHub(backend.runtime);
  }

  /** @throws DamageError when what the disk kept is taken for damage */
  static async boot(
    world: World,
    disk: Disk,
    folder: string,
    owner: string,
    functions: FunctionModules,
  ) {
    const store = disk.slowStore();
    const records: Buffer[] = [];
    const options = { firstSegmentBytes: SEGMENT_BYTES, segmentBytes: SEGMENT_BYTES };
    const journal = Journal.open(folder, store.position, (record) => records.push(record), {
      ...options,
      keptBytes: SEGMENT_BYTES * 4,
    });
    const db = await openOn(
      store,
      journal,
      { systemSchema: SYSTEM_TABLES, now: () => world.wallMs },
      () => Promise.resolve(),
    );
    for (const record of records) db.replay(decodeCommit(record));
    const backend = await openBackend({
      db,
      loadModules: () => Promise.resolve(functions),
      blobs: memoryBlobs(),
      env: {},
      adminKeys: [],
      settings: {
        cloudUrl: "https://simulation.test",
        siteUrl: "https://simulation.test",
        instanceName: "simulation",
        context: "sdk",
        isRedacting: false,
        conflictProbability: CONFLICT_PROBABILITY,
        onLogLine: null,
      },
    });
    await backend.startJobs();
    return new Server(owner, backend, records.length);
  }

  accept(transport: Transport, _client: string): SyncWorker {
    const { runtime } = this.backend;
    return new SyncWorker(runtime, this.hub, authenticator, transport, {
      ip: "192.0.2.1",
      userAgent: "simulation",
    });
  }

  /** Runs code of ours as a query or mutation of the backend. */
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
    const outcome = await (kind === "query" ? runtime.runQuery(call) : runtime.runMutation(call));
    if ("failure" in outcome) throw new Error(outcome.failure.text);
    return result as T;
  }

  /** Everything of one table that is durable, oldest first. */
  documents(tableName: string): Record<string, Value>[] {
    return this.scan(tableName, "asc", Infinity);
  }

  /** When the newest document of a table was made; null without one. */
  newestCreation(tableName: string): number | null {
    return (this.scan(tableName, "desc", 1)[0]?._creationTime as number | undefined) ?? null;
  }

  private scan(tableName: string, order: "asc" | "desc", limit: number): Record<string, Value>[] {
    const txn = this.backend.db.beginQuery();
    try {
      const source = { type: "FullTableScan", tableName, order } as const;
      const stream = txn.openStream({ source, operators: [] });
      const found: Record<string, Value>[] = [];
      while (found.length < limit) {
        const row = stream.next();
        if (row === null) break;
        found.push(jsonToConvex(JSON.parse(row.json) as JSONValue) as Record<string, Value>);
      }
      stream.close();
      return found;
    } finally {
      txn.close();
    }
  }
}
