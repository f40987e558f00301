/**
 * Access rules: the `Host` names this server answers to, the browser origins it accepts, and the client's
 * address behind a configured proxy.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { HttpError, header } from "./http.ts";

export interface AccessPolicy {
  /** Origins (`http://host:port`) of the pages that may connect; null accepts and mirrors any. */
  readonly allowedOrigins: ReadonlySet<string> | null;
  /** Hosts (`host:port`) of those origins. The scheme is not compared, because a proxy may terminate TLS. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Address of the only proxy whose `X-Forwarded-*` headers are trusted; null trusts none. */
  readonly trustedProxy: string | null;
}

/** The HTTP origin of a host and port. */
export const originOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** Origins under which this listener is reachable on this machine. */
export function ownOrigins(host: string, port: number, publicOrigin: string): string[] {
  const own = host === "::" ? "::1" : host;
  const local = own === "0.0.0.0" ? [] : [originOf(own, port)];
  return [publicOrigin, ...local, `http://127.0.0.1:${port}`, `http://localhost:${port}`];
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
    trustedProxy: trustedProxy === null ? null : normaliseAddress(trustedProxy),
  };
}

const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** Canonical form of an IP address; an IPv4 address mapped to IPv6 becomes IPv4. */
function normaliseAddress(address: string): string {
  const bracketed = `http://[${address}]`;
  if (isIP(address) !== 6 || !URL.canParse(bracketed)) return address;
  const short = new URL(bracketed).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16BE(parseInt(high, 16), 0);
  bytes.writeUInt16BE(parseInt(low, 16), 2);
  return bytes.join(".");
}

/** The address in a forwarded header, without the port that some proxies add; null when it is invalid. */
function forwardedAddress(text: string): string | null {
  const bare = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text);
  const address = bare?.[1] ?? bare?.[2] ?? text;
  return isIP(address) === 0 ? null : normaliseAddress(address);
}

/** True when a request comes from the trusted proxy. */
export function isFromProxy(policy: AccessPolicy, request: IncomingMessage): boolean {
  if (policy.trustedProxy === null) return false;
  return normaliseAddress(request.socket.remoteAddress ?? "") === policy.trustedProxy;
}

/** The client's address. Only the configured proxy may declare another one. */
export function clientAddress(policy: AccessPolicy, request: IncomingMessage): string {
  const direct = normaliseAddress(request.socket.remoteAddress ?? "");
  if (!isFromProxy(policy, request)) return direct;
  // The proxy appends the address it saw; everything before it came from the client.
  const forwarded = header(request, "x-forwarded-for")?.split(",").at(-1)?.trim();
  return forwardedAddress(forwarded ?? "") ?? direct;
}

/** What URL resolves in a path: backslashes, and segments of one dot or two. */
const RESOLVED = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * The address of this request, as the client wrote it.
 * @throws HttpError 400 when it is malformed, names another host than the headers (only those were checked), or is to be
 *   resolved: a proxy may have judged another path, and let "/x\..\metrics" through
 */
export function requestUrl(policy: AccessPolicy, request: IncomingMessage): URL {
  // RFC 9112, section 3.2. Of several, a proxy may have checked another one than Node keeps.
  const hosts = request.headersDistinct.host?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== "1.0")) {
    throw new HttpError(400, "BadRequest", hosts === 0 ? "No Host" : "Several Hosts");
  }
  const origin = requestOrigin(policy, request);
  const target = request.url ?? "/";
  const address = target.startsWith("/") ? origin + target : target;
  const [path = ""] = address.split(/[?#]/, 1);
  if (!address.startsWith(`${origin}/`) || RESOLVED.test(path) || !URL.canParse(address)) {
    throw new HttpError(400, "BadRequest", "Malformed address");
  }
  const url = new URL(address);
  const hasCredentials = url.username !== "" || url.password !== "";
  if (hasCredentials) throw new HttpError(400, "BadRequest", "Credentials in the address");
  return url;
}

function requestOrigin(policy: AccessPolicy, request: IncomingMessage): string {
  const proto = isFromProxy(policy, request) ? header(request, "x-forwarded-proto") : undefined;
  return `${proto === "https" ? "https" : "http"}://${requestHost(policy, request)}`;
}

function requestHost(policy: AccessPolicy, request: IncomingMessage): string {
  const forwarded = isFromProxy(policy, request) && header(request, "x-forwarded-host");
  return forwarded || header(request, "host") || "localhost";
}

const withoutDefaultPort = (host: string): string => host.replace(/:(?:80|443)$/, "");

/**
 * True when the request may be served: its Host is ours (DNS rebinding), and so is its Origin, which browsers
 * always send on requests to other sites. Programs send no Origin.
 */
export function isAllowed(policy: AccessPolicy, request: IncomingMessage): boolean {
  if (policy.allowedOrigins === null) return true;
  const host = requestHost(policy, request).toLowerCase();
  // Some proxies include the default port.
  const isOurs = policy.allowedHosts.has(host) || policy.allowedHosts.has(withoutDefaultPort(host));
  if (!isOurs) return false;
  const origin = header(request, "origin");
  return origin === undefined || policy.allowedOrigins.has(origin.toLowerCase());
}

/** CORS headers of the API: an allowed origin is mirrored, any other gets none. */
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
