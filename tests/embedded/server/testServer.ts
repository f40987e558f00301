/** A backend on the chat fixture, in memory unless a data folder is given, on a free port. */
import path from "node:path";
import { ConvexClient, ConvexHttpClient, type ConvexClientOptions } from "convex/browser";
import { inject, onTestFinished } from "vitest";
import {
  bundleFunctions,
  loadSecrets,
  serve,
  type RunningServer,
  type ServeOptions,
} from "../../../embedded/main";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";

export const CHAT_DIR = path.resolve(import.meta.dirname, "..", "fixtures", "chat");
/** Of this worker alone. */
const BUNDLE_DIR = path.join(inject("runFolder"), String(process.pid), "chat");
export const ADMIN_KEY = "embedded|0123456789abcdef";

const MIB = 1024 * 1024;
let secrets: Promise<Readonly<Record<string, string>>> | null = null;
let bundle: Promise<unknown> | null = null;

/** Copies what a kill would leave, without the lock. */
export function copyAsKilled(dataDir: string, copy: string): void {
  const isKept = (file: string): boolean => !path.basename(file).startsWith("lock");
  cpSync(dataDir, copy, { recursive: true, filter: isKept });
}

async function testSecrets(): Promise<Readonly<Record<string, string>>> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "embedded-keys-"));
  try {
    return await loadSecrets(dir, []);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Starts a server; it is closed when the test ends. */
export async function startTestServer(
  options: Partial<ServeOptions> & { givenEnv?: Record<string, string> } = {},
): Promise<RunningServer & { logLines: string[] }> {
  secrets ??= testSecrets();
  const keys = await secrets;
  // Bundled once. Tests of sign-in give the folder instead: its issuer is read at load.
  bundle ??= bundleFunctions(CHAT_DIR, BUNDLE_DIR);
  await bundle;
  const logLines: string[] = [];
  const server = await serve({
    functions: { bundleDir: BUNDLE_DIR },
    dataDir: null,
    host: "127.0.0.1",
    port: 0,
    sitePort: null,
    publicOrigin: null,
    allowedOrigins: null,
    trustedProxy: null,
    adminKey: ADMIN_KEY,
    uploadTokenKey: null,
    env: () => ({ ...keys, AUTH_LOG_LEVEL: "ERROR", GIVEN: "yes", ...options.givenEnv }),
    isRedacting: false,
    staticDir: null,
    frameOrigins: [],
    messageMaxBytes: 2 * MIB,
    uploadMaxBytes: 4 * MIB,
    connectionsMax: 1000,
    version: "test",
    watchdogMs: null,
    onLogLine: (line) => void logLines.push(line),
    ...options,
  });
  onTestFinished(() => server.close());
  return { ...server, logLines };
}

/** The official client, closed when the test ends. */
export function newClient(
  server: { origin: string },
  options: ConvexClientOptions = {},
): ConvexClient {
  const client = new ConvexClient(server.origin, { logger: false, ...options });
  onTestFinished(() => client.close());
  return client;
}

export function newHttpClient(server: { origin: string }): ConvexHttpClient {
  return new ConvexHttpClient(server.origin, { logger: false });
}
