/**
 * Routes for operators of a running server: metrics, backup, export.
 *
 * `/metrics` and `/api/operator/…` answer requests from this machine only. All but `/metrics` need the admin key;
 * `/api/export/…`, `/api/import` and `/api/stream_function_logs` belong to the official CLI, which may be anywhere.
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../storage/errorText.ts";
import { requireAdminKey, type ApiContext } from "./api.ts";
import { HttpError, header, sendJson, sendText } from "./http.ts";

/** The operations behind these routes; assembled in main. */
export interface OperatorHost {
  /** All metrics, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** The newest commit, why the database is read-only or null, and the product's version. */
  status(): { latestTs: string; isReadOnly: string | null; version: string };
  /** Makes a verified backup inside the data folder; returns its summary. `onProgress` ends it by throwing. */
  backup(onProgress: (what: string) => void): Promise<object>;
  /**
   * Makes an archive; returns its timestamp and the stored files missing from it. Only the newest archive is
   * kept.
   */
  requestExport(
    includeFiles: boolean,
  ): Promise<{ readonly startTs: string; readonly missing: readonly string[] }>;
  /** File of the archive with this timestamp, or null. */
  exportFile(ts: string): string | null;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?::\d+)?$/i;
const FORWARDED = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"];

/**
 * True for a direct request by a program on this machine. A local proxy connects from here as well, but adds
 * forwarding headers or the public host name.
 */
function isLocalRequest(request: IncomingMessage): boolean {
  const { remoteAddress = "", localAddress } = request.socket;
  const host = header(request, "host") ?? "";
  const isHere = LOOPBACK.test(remoteAddress) || remoteAddress === localAddress;
  const address = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  const isByAddress = LOOPBACK_HOST.test(host) || address === localAddress;
  return isHere && isByAddress && FORWARDED.every((name) => header(request, name) === undefined);
}

/** Serves `/metrics`. @throws HttpError 404 for requests from other machines */
export async function serveMetrics(
  host: OperatorHost,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // 404, so that outsiders cannot tell that the route exists.
  if (!isLocalRequest(request)) throw new HttpError(404, "NotFound", "Not found");
  sendText(response, 200, await host.metrics(), "text/plain; version=0.0.4; charset=utf-8");
}

/**
 * Progress as lines of JSON; the last one holds `done`, or `error` with the error's name, by which a command knows the
 * next step. When the command that waits for it is stopped, the backup ends, too: nobody would know of it.
 */
async function serveBackup(host: OperatorHost, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "Content-Type": "application/x-ndjson", "Cache-Control": "no-store" });
  const line = (fields: object): void => void response.write(`${JSON.stringify(fields)}\n`);
  try {
    const done = await host.backup((progress) => {
      if (response.destroyed) throw new Error("The command that asked for it was stopped");
      line({ progress });
    });
    line({ done });
  } catch (error) {
    line({ error: messageOf(error), name: error instanceof Error ? error.name : undefined });
  }
  response.end();
}

async function serveArchive(host: OperatorHost, response: ServerResponse, url: URL): Promise<void> {
  const ts = url.pathname.slice(EXPORT_FILE.length);
  const file = host.exportFile(ts);
  if (file === null)
    throw new HttpError(404, "ExportNotFound", "This export is gone: a newer one took its place");
  response.writeHead(200, {
    "Content-Type": "application/zip",
    "Content-Length": (await stat(file)).size,
    "Content-Disposition": `attachment; filename=snapshot_${ts}.zip`,
    "Cache-Control": "no-store",
  });
  await pipeline(createReadStream(file), response);
}

const EXPORT_FILE = "/api/export/zip/";

type Serve = (host: OperatorHost, response: ServerResponse, url: URL) => Promise<void>;

const serveStatus: Serve = async (host, response) =>
  sendJson(response, 200, JSON.stringify({ pid: process.pid, ...host.status() }));

const serveExport: Serve = async (host, response, url) => {
  const includeFiles = url.searchParams.get("includeStorage") === "true";
  // The official CLI looks only at the status.
  const answer = await host.requestExport(includeFiles).catch((error: unknown) => {
    // Holders of the admin key may see the reason: a full disk, another export.
    throw new HttpError(500, "ExportFailed", messageOf(error));
  });
  sendJson(response, 200, JSON.stringify(answer));
};

const refuseImport: Serve = () =>
  Promise.reject(
    new HttpError(
      400,
      "ImportNotSupported",
      "The embedded backend imports while it is stopped: npm run import -- --from FILE.zip",
    ),
  );

const refuseLogs: Serve = () =>
  Promise.reject(
    new HttpError(
      // After any other status, the official CLI asks again without end.
      403,
      "LogsNotSupported",
      "The embedded backend writes its log to where it was started: read it there.",
    ),
  );

/** What serves a route; null when the address is none of operators'. */
function servingOf(method: string | undefined, pathname: string): Serve | null {
  if (pathname.startsWith("/api/import")) return refuseImport;
  if (method === "GET") {
    if (pathname === "/api/operator/status") return serveStatus;
    if (pathname === "/api/stream_function_logs") return refuseLogs;
    return pathname.startsWith(EXPORT_FILE) ? serveArchive : null;
  }
  if (method !== "POST") return null;
  if (pathname === "/api/operator/backup") return serveBackup;
  return pathname === "/api/export/request/zip" ? serveExport : null;
}

/** Serves operators' routes. Returns false when the path is not one of them. @throws HttpError */
export async function serveOperator(
  host: OperatorHost,
  context: ApiContext,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<boolean> {
  const isOwn = url.pathname.startsWith("/api/operator/");
  if (isOwn && !isLocalRequest(request)) throw new HttpError(404, "NotFound", "No such route");
  const serve = servingOf(request.method, url.pathname);
  if (serve === null) return false;
  await requireAdminKey(context.authenticator, request);
  await serve(host, response, url);
  return true;
}
