/** What a backend is started with, and what is known of it once it serves. */
import type { JSONValue } from "convex/values";
import type { Backend } from "./runtime/backend.ts";
import type { CallRecord, FunctionContext } from "./runtime/deployment.ts";

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
  /**
   * Sockets of one IPv4 address or one IPv6 network of 64 bits; this machine's own are not counted. Absent: as
   * many as there may be in all.
   */
  readonly connectionsPerAddressMax?: number;
  readonly version: string;
  readonly conflictProbability?: number;
  readonly context?: FunctionContext;
  /**
   * Kills this process when a function blocks it for this long, for a supervisor to start it again; null
   * lets functions block. Needs a data folder.
   */
  readonly watchdogMs: number | null;
  readonly onLogLine: ((line: string, requestId?: string) => void) | null;
  /** Hears of every call by a client when it is over. */
  readonly onCall?: (record: CallRecord) => void;
  /** An internal query that answers numbers of the application for `/metrics`. */
  readonly gaugesFunction?: string;
  /** Runs after the functions are loaded and before the first request is served. */
  readonly beforeServing?: (host: ServingHost) => Promise<void>;
}

/** What `beforeServing`, and who opened a stopped folder, may use. */
export interface ServingHost {
  /** Runs a function with the backend's own authority. @throws Error with the function's failure; its `cause` is the data of a ConvexError. */
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
