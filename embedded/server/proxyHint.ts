/** Notices a proxy that is not the trusted one. */
import type { IncomingMessage } from "node:http";
import { isFromProxy, type AccessPolicy } from "./access.ts";
import { header } from "./http.ts";

/**
 * A function to call with every request, which logs the first one that was forwarded by another address than
 * the trusted proxy's: what was meant for its clients would count for that one address.
 */
export function proxyHint(
  policy: AccessPolicy,
  onLogLine: (line: string) => void,
): (request: IncomingMessage) => void {
  let isTold = policy.trustedProxy === null;
  return (request) => {
    if (isTold || header(request, "x-forwarded-for") === undefined) return;
    if (isFromProxy(policy, request)) return;
    isTold = true;
    onLogLine(
      `[WARN] ${request.socket.remoteAddress} forwards requests, and the trusted proxy is ${policy.trustedProxy} ` +
        "(TRUSTED_PROXY): if that is your proxy, everybody behind it counts as one address.",
    );
  };
}
