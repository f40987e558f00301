/** Routes requests to the HTTP actions of `http.ts`. */
import { clientMessage, tracedText } from "./errors.ts";
import { clientRequest, newRequestId } from "./execution.ts";
import { invokeHttpAction } from "./actions.ts";
import type { Identity } from "./identity.ts";
import type { Runtime } from "./runtime.ts";

interface HttpCaller {
  readonly identity: Identity;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** True when `http.ts` has a route for this request. */
export function hasHttpRoute(runtime: Runtime, method: string, pathname: string): boolean {
  const lookupMethod = method === "HEAD" ? "GET" : method;
  return (runtime.deployment.modules.http?.lookup(pathname, lookupMethod) ?? null) !== null;
}

/**
 * Runs the matching HTTP action; without one, responds with 404 as the official backend does. Read the
 * response's body or cancel it: until then the action counts as running.
 */
export async function handleHttpAction(
  runtime: Runtime,
  request: Request,
  caller: HttpCaller,
): Promise<Response> {
  const router = runtime.deployment.modules.http;
  if (router === null) {
    return new Response("This Convex deployment does not have HTTP actions enabled.", {
      status: 404,
    });
  }
  const { pathname } = new URL(request.url);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const match = router.lookup(pathname, method);
  if (match === null) return new Response("No matching routes found", { status: 404 });
  const requestId = newRequestId();
  const { identity } = caller;
  const path = `${method} ${match[2]}`;
  const startedMs = performance.now();
  const onOver = runtime.beginWork();
  const tell = (failure: string | null): void =>
    runtime.deployment.settings.onCall?.({
      kind: "http",
      path,
      requestId,
      durationMs: performance.now() - startedMs,
      outcome: failure === null ? "ok" : "error",
      failure,
      isMissing: false,
    });
  try {
    const call = {
      functionPath: `http:${path}`,
      identity,
      request: clientRequest(requestId, caller, identity),
      logs: runtime.newLogs(requestId),
    };
    const response = await invokeHttpAction(runtime, match[0], request, call, onOver);
    tell(null);
    return response;
  } catch (error) {
    onOver();
    const failure = runtime.describe(error);
    const { isRedacting } = runtime.deployment.settings;
    tell(failure.text);
    const text = clientMessage(failure, requestId, isRedacting);
    const body = {
      code: text.split("\n").slice(0, 2).join(": "),
      ...(!isRedacting && { trace: tracedText(failure) }),
      ...(failure.data !== undefined && { data: failure.data }),
    };
    return Response.json(body, { status: 500 });
  }
}
