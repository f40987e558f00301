/** Serves the benchmark's own functions (`../functions`) on the embedded backend. */
import path from "node:path";
import { serve, type RunningServer } from "../../../embedded/main";

export interface OwnFunctions {
  readonly root: string;
  readonly dataDir: string;
  /** URI of the key set for tokens. */
  readonly jwksUri: string;
  /** 0 for any free port. */
  readonly port: number;
}

const MESSAGE_MAX_BYTES = 1_000_000;
const CONNECTIONS_MAX = 2_000;

export function serveOwnFunctions(what: OwnFunctions): Promise<RunningServer> {
  return serve({
    functions: { functionsDir: path.join(what.root, "tests", "bench", "functions") },
    dataDir: what.dataDir,
    host: "127.0.0.1",
    port: what.port,
    sitePort: null,
    publicOrigin: null,
    allowedOrigins: null,
    trustedProxy: null,
    adminKey: null,
    uploadTokenKey: null,
    env: () => ({ JWKS_DATA_URI: what.jwksUri }),
    isRedacting: false,
    staticDir: null,
    frameOrigins: [],
    messageMaxBytes: MESSAGE_MAX_BYTES,
    uploadMaxBytes: MESSAGE_MAX_BYTES,
    connectionsMax: CONNECTIONS_MAX,
    version: "bench",
    watchdogMs: null,
    onLogLine: null,
  });
}
