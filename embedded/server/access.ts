/**
 * Who may talk to this server: the `Host` it answers to, the browser origins it accepts, and the
 * client's address behind a configured proxy.
 */
import type { IncomingMessage } from "node:http";
import { header } from "./http.ts";

export interface AccessPolicy {
  /** Origins (`http://host:port`) of the pages that may connect; null accepts and mirrors any. */
  readonly allowedOrigins: ReadonlySet<string> | null;
  /** Hosts (`host:port`) of those origins. The scheme is a matter of the proxy that ends TLS. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Address of the one proxy whose `X-Forwarded-*` headers are believed; null believes none. */
  readonly trustedProxy: string | null;
}

/** A policy for pages of `origins` (null: any). @throws Error for malformed origins. */
export function accessPolicy(
  origins: readonly string[] | null,
  trustedProxy: string | null,
): AccessPolicy {
  const urls = (origins ?? []).map((origin) => new URL(origin));
  return {
    allowedOrigins: origins === null ? null : new Set(urls.map((url) => url.origin)),
    allowedHosts: new Set(urls.map((url) => url.host)),
    trustedProxy,
  };
}

function normaliseAddress(address: string | undefined): string {
  return (address ?? "").replace(/^::ffff:/, "");
}

function isFromProxy(policy: AccessPolicy, request: IncomingMessage): boolean {
  if (policy.trustedProxy === null) return false;
  return normaliseAddress(request.socket.remoteAddress) === policy.trustedProxy;
}

/** The client's address. Only the configured proxy can say it is somebody else's. */
export function clientAddress(policy: AccessPolicy, request: IncomingMessage): string {
  const direct = normaliseAddress(request.socket.remoteAddress);
  if (!isFromProxy(policy, request)) return direct;
  // The proxy appends the address it saw; what stands before came from the client.
  const forwarded = header(request, "x-forwarded-for")?.split(",").at(-1)?.trim();
  return forwarded === undefined || forwarded === "" ? direct : forwarded;
}

/** The origin this request was addressed to, as the client wrote it. */
export function requestOrigin(policy: AccessPolicy, request: IncomingMessage): string {
  const proto = isFromProxy(policy, request) ? header(request, "x-forwarded-proto") : undefined;
  return `${proto === "https" ? "https" : "http"}://${requestHost(policy, request)}`;
}

function requestHost(policy: AccessPolicy, request: IncomingMessage): string {
  const forwarded = isFromProxy(policy, request) && header(request, "x-forwarded-host");
  return forwarded || header(request, "host") || "localhost";
}

/**
 * True when the request may be served: its Host is ours (DNS rebinding), and its Origin, which
 * browsers always send to other sites, is ours as well. Programs send no Origin.
 */
export function isAllowed(policy: AccessPolicy, request: IncomingMessage): boolean {
  if (policy.allowedOrigins === null) return true;
  if (!policy.allowedHosts.has(requestHost(policy, request).toLowerCase())) return false;
  const origin = header(request, "origin");
  return origin === undefined || policy.allowedOrigins.has(origin.toLowerCase());
}

/** CORS headers of the API: the page's own origin is mirrored when it may connect, nobody else's. */
export function corsHeaders(
  policy: AccessPolicy,
  request: IncomingMessage,
): Readonly<Record<string, string>> {
  const origin = header(request, "origin");
  if (origin === undefined || !isAllowed(policy, request)) return {};
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS, PATCH, DELETE, PUT",
    "Access-Control-Allow-Headers":
      header(request, "access-control-request-headers") ?? "authorization, content-type",
    "Access-Control-Expose-Headers": "*",
    "Access-Control-Max-Age": "86400",
    Vary: "Origin",
  };
}
