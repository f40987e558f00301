/**
 * The HTTP server: one origin for the client's files, the API, the sockets and the HTTP actions.
 *
 * Order: security headers, Host and Origin, health, HTTP actions (routes of `http.ts`, but for own paths; all of
 * `/.well-known/` and `/api/auth/`, with their 404), `/metrics`, `/http/*`, `/api/*`, static files.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Backend } from "../runtime/backend.ts";
import type { EnvironmentChange } from "../runtime/environment.ts";
import { hasHttpRoute } from "../runtime/httpActions.ts";
import { traceOf } from "../storage/errorText.ts";
import { QueryHub } from "../sync/hub.ts";
import { clientAddress, corsHeaders, isAllowed, requestUrl, type AccessPolicy } from "./access.ts";
import { serveAdminPost } from "./adminApi.ts";
import { newCallLimits, servePost, serveQueryGet, type ApiContext } from "./api.ts";
import { Exchanges } from "./exchanges.ts";
import { healthOf } from "./health.ts";
import { HttpError, mayBeLong, newHttpServer, sendError, sendJson, sendText } from "./http.ts";
import { limitConnections } from "./openFiles.ts";
import { isOwnPath } from "./ownPaths.ts";
import { proxyHint } from "./proxyHint.ts";
import { listenAt } from "./reservedPorts.ts";
import { securityHeaders, type ContentSources } from "./securityHeaders.ts";
import { SyncSockets } from "./sockets.ts";
import { StaticFiles } from "./staticFiles.ts";
import { serveMetrics, serveOperator, type OperatorHost } from "./operatorApi.ts";
import { serveDownload, serveUpload } from "./storageRoutes.ts";
import { newActionTurns, newBodyRoom, serveHttpAction } from "./userRoutes.ts";

interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** A second port only for HTTP actions, as the official local backend has; null for none. */
  readonly sitePort: number | null;
  readonly access: AccessPolicy;
  /** Folder of the client's files; null serves no pages. */
  readonly staticDir: string | null;
  readonly content: ContentSources;
  /** Largest API body and socket frame in bytes. */
  readonly messageMaxBytes: number;
  readonly uploadMaxBytes: number;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  readonly version: string;
  /** Operators' operations; null disables their routes. */
  readonly operator: OperatorHost | null;
}

/** Time for running work after SIGTERM before connections are cut. */
const SHUTDOWN_GRACE_MS = 5_000;
/** Time for clients to close their connections after that. */
const CLOSING_MS = 1_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const refuseExpectation: Handler = () =>
  Promise.reject(new HttpError(417, "ExpectationFailed", "This is not done here"));

/** Does not own its backend: call `close` before the backend's `close`. */
export class BackendServer {
  private readonly backend: Backend;
  private readonly options: ServerOptions;
  private readonly hub: QueryHub;
  private readonly sockets: SyncSockets;
  private readonly files: StaticFiles | null;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly servers: Server[] = [];
  private readonly hintAtProxy: (request: IncomingMessage) => void;
  private readonly bodies = newBodyRoom();
  private readonly turns = newActionTurns();
  private readonly callLimits = newCallLimits();
  private readonly exchanges = new Exchanges();
  private isStopping = false;

  constructor(backend: Backend, options: ServerOptions) {
    this.backend = backend;
    this.options = options;
    this.hub = new QueryHub(backend.runtime);
    const isOpen = options.access.allowedOrigins === null;
    this.headers = securityHeaders({ ...options.content, isOpen });
    this.hintAtProxy = proxyHint(options.access, (line) => this.log(line));
    this.sockets = new SyncSockets(backend.runtime, this.hub, backend.authenticator, {
      access: options.access,
      frameMaxBytes: options.messageMaxBytes,
      connectionsMax: options.connectionsMax,
      connectionsPerAddressMax: options.connectionsPerAddressMax,
      exchanges: this.exchanges,
      headers: this.headers,
    });
    this.files = options.staticDir === null ? null : new StaticFiles(options.staticDir);
  }

  /** Open connections and the queries on them. */
  get load(): { connections: number; liveQueries: number } {
    return { connections: this.sockets.connectionCount, liveQueries: this.hub.liveCount };
  }

  /** Starts listening. @throws Error when a port is taken. */
  async listen(): Promise<void> {
    const main = await this.open(this.options.port, (request, response) =>
      this.route(request, response),
    );
    this.sockets.attach(main);
    if (this.options.sitePort === null) return;
    await this.open(this.options.sitePort, async (request, response) =>
      this.userRoute(request, response, this.urlOf(request)),
    );
  }

  /** Stops accepting requests, lets running work finish, closes every connection. */
  async close(): Promise<void> {
    this.isStopping = true;
    const closed = this.servers.map(
      (server) => new Promise<void>((resolve) => server.close(() => resolve())),
    );
    for (const server of this.servers) {
      // For connections that are idle only once they have their answer.
      server.keepAliveTimeout = 1;
      server.closeIdleConnections();
    }
    await this.backend.runtime.drain(SHUTDOWN_GRACE_MS);
    this.sockets.close();
    const cut = setTimeout(() => {
      this.sockets.terminate();
      for (const server of this.servers) server.closeAllConnections();
    }, CLOSING_MS);
    await Promise.all(closed);
    clearTimeout(cut);
    this.hub.close();
  }

  private async open(port: number, handle: Handler): Promise<Server> {
    const answer = (handler: Handler) => (request: IncomingMessage, response: ServerResponse) => {
      const handle = () => {
        for (const [name, value] of Object.entries(this.headers)) response.setHeader(name, value);
        handler(request, response).catch((error: unknown) => this.answerError(response, error));
      };
      this.exchanges.add({ response, handle });
    };
    const server = newHttpServer(this.headers, answer(handle));
    server.on("checkExpectation", answer(refuseExpectation));
    const share = this.options.sitePort === null ? 1 : 1 / 2;
    limitConnections(server, share, (line) => this.log(line));
    this.servers.push(server);
    await listenAt(server, port, this.options.host);
    return server;
  }

  private log(line: string): void {
    this.backend.runtime.deployment.settings.onLogLine?.(line);
  }

  private urlOf(request: IncomingMessage): URL {
    return requestUrl(this.options.access, request);
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.hintAtProxy(request);
    const url = this.urlOf(request);
    const { pathname } = url;
    const method = request.method ?? "GET";
    if (!isAllowed(this.options.access, request)) {
      throw new HttpError(403, "Forbidden", "This address or origin is not served here");
    }
    if (pathname === "/healthz") return this.health(response);
    const { runtime } = this.backend;
    const isUserPath = pathname.startsWith("/.well-known/") || pathname.startsWith("/api/auth/");
    if (isUserPath || (!isOwnPath(pathname) && hasHttpRoute(runtime, method, pathname))) {
      return this.userRoute(request, response, url);
    }
    const { operator } = this.options;
    if (pathname === "/metrics" && operator !== null) {
      return serveMetrics(operator, request, response);
    }
    if (pathname.startsWith("/http/")) {
      url.pathname = pathname.slice("/http".length);
      return this.userRoute(request, response, url);
    }
    if (pathname.startsWith("/api/")) return this.api(request, response, url);
    return this.page(request, response, pathname);
  }

  private health(response: ServerResponse): void {
    const { status, ...why } = healthOf(this.backend.db);
    const body = {
      status: this.isStopping ? "stopping" : status,
      version: this.options.version,
      connections: this.sockets.connectionCount,
      ...why,
    };
    sendJson(response, body.status === "ok" ? 200 : 503, JSON.stringify(body));
  }

  private userRoute(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const ip = clientAddress(this.options.access, request);
    const { runtime, authenticator } = this.backend;
    const { bodies, turns } = this;
    const context = { runtime, authenticator, bodies, turns };
    return serveHttpAction(context, request, response, { url, ip });
  }

  private async api(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { pathname } = url;
    const cors = corsHeaders(this.options.access, request);
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);
    const { method } = request;
    if (method === "OPTIONS") {
      response.writeHead(204).end();
    } else if (pathname === "/api/storage/upload" && method === "POST") {
      await serveUpload(this.backend.runtime, request, response, {
        token: url.searchParams.get("token") ?? "",
        maxBytes: this.options.uploadMaxBytes,
      });
    } else if (pathname.startsWith("/api/storage/") && (method === "GET" || method === "HEAD")) {
      const uuid = pathname.slice("/api/storage/".length);
      await serveDownload(this.backend.runtime, request, response, uuid);
    } else if (await this.operate(request, response, url)) {
      return;
    } else if (pathname === "/api/query" && method === "GET") {
      const target = { url, ip: clientAddress(this.options.access, request) };
      await serveQueryGet(this.apiContext, request, response, target);
    } else if (method === "POST") {
      await this.post(request, response, pathname);
    } else {
      throw new HttpError(404, "NotFound", "No such route");
    }
  }

  private get apiContext(): ApiContext {
    const { runtime, authenticator } = this.backend;
    const bodyMaxBytes = this.options.messageMaxBytes;
    return { runtime, authenticator, hub: this.hub, bodyMaxBytes, ...this.callLimits };
  }

  /** Serves the routes of operators; false for all others. */
  private async operate(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<boolean> {
    const { operator } = this.options;
    if (operator === null) return false;
    return serveOperator(operator, this.apiContext, request, response, url);
  }

  private async post(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
  ): Promise<void> {
    if (pathname === "/api/debug_event") return sendText(response, 200, "");
    const context = {
      ...this.apiContext,
      changeEnvironment: (changes: readonly EnvironmentChange[]) =>
        this.backend.changeEnvironment(changes),
    };
    const target = { pathname, ip: clientAddress(this.options.access, request) };
    if (await servePost(context, request, response, target)) return;
    if (await serveAdminPost(context, request, response, target)) return;
    throw new HttpError(404, "NotFound", "No such route");
  }

  private page(request: IncomingMessage, response: ServerResponse, pathname: string): void {
    if (pathname === "/version") return sendText(response, 200, this.options.version);
    if (pathname === "/instance_version") return sendText(response, 200, this.options.version);
    if (pathname === "/instance_name") {
      return sendText(response, 200, this.backend.runtime.deployment.settings.instanceName);
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      throw new HttpError(405, "MethodNotAllowed", "Only GET is served here");
    }
    if (this.files?.serve(request, response, pathname)) return;
    if (this.files === null && pathname === "/") {
      return sendText(response, 200, "This Convex deployment is running.");
    }
    throw new HttpError(404, "NotFound", "Not found");
  }

  private answerError(response: ServerResponse, error: unknown): void {
    // A client that has disconnected gets no response, and its error needs no investigation.
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    if (error instanceof HttpError) {
      // Otherwise Node would read the rest of a rejected body, however long.
      if (mayBeLong(response.req)) response.setHeader("Connection", "close");
      sendError(response, error);
      return;
    }
    this.log(`Request failed: ${traceOf(error)}`);
    sendError(response, new HttpError(500, "InternalServerError", "Internal server error"));
  }
}
