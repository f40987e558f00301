/** The options of a backend, and the interface of a running one. */
import type { JSONValue } from "convex/values";
import type { Backend } from "./runtime/backend.ts";
import type { CallRecord, FunctionContext } from "./runtime/deployment.ts";

export interface ServeOptions {
  /** Functions bundled in advance, or a folder to bundle now. */
  readonly functions: { readonly bundleDir: string } | { readonly functionsDir: string };
  /** Folder for all persistent data; null keeps everything in memory. */
  readonly dataDir: string | null;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** A second port only for HTTP actions, 0 for any free one; null for none. */
  readonly sitePort: number | null;
  /** Origin under which clients reach this server; null for the address it listens on. */
  readonly publicOrigin: string | null;
  /** Further origins of pages that may connect; null accepts and mirrors every origin. */
  readonly allowedOrigins: readonly string[] | null;
  readonly trustedProxy: string | null;
  readonly adminKey: string | null;
  readonly uploadTokenKey: string | null;
  /** The functions' environment, given the origin they are served at; stored variables override it. */
  readonly env: (origin: string) => Readonly<Record<string, string>>;
  /** The part of their environment that stored variables cannot override, such as keys kept elsewhere. */
  readonly fixedEnv?: Readonly<Record<string, string>>;
  readonly isRedacting: boolean;
  /**
   * Property that every public function must have: the project's builders set it together with an access
   * check, so a function without it has none. Absent: any function is served.
   */
  readonly publicFunctionMark?: string;
  readonly staticDir: string | null;
  /** Origins of frames the pages may embed. */
  readonly frameOrigins: readonly string[];
  readonly messageMaxBytes: number;
  readonly uploadMaxBytes: number;
  readonly connectionsMax: number;
  /**
   * Most sockets of one IPv4 address or one IPv6 network of 64 bits; this machine's own are not counted.
   * Absent: limited only by `connectionsMax`.
   */
  readonly connectionsPerAddressMax?: number;
  readonly version: string;
  /** As in `DeploymentSettings`; absent: 0. */
  readonly conflictProbability?: number;
  /** Absent: `DEFAULT_CONTEXT`. */
  readonly context?: FunctionContext;
  /**
   * Kills this process when a function blocks it for this long, so that a supervisor restarts it; null allows
   * blocking. Needs a data folder.
   */
  readonly watchdogMs: number | null;
  readonly onLogLine: ((line: string, requestId?: string) => void) | null;
  /** Called for every finished call by a client. */
  readonly onCall?: (record: CallRecord) => void;
  /** An internal query that returns the application's gauges for `/metrics`. */
  readonly gaugesFunction?: string;
  /** Runs after the functions are loaded and before the first request is served. */
  readonly beforeServing?: (host: ServingHost) => Promise<void>;
}

/** What `beforeServing` and callers of `openStopped` can use. */
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
