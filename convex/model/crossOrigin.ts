/**
 * Pages on another host than the HTTP actions, as on the real Convex: which of them a browser lets read
 * a response.
 *
 * Written by hand, because convex-helpers' corsRouter adds handlers that no guard has branded.
 * Not here: who the caller is (model/access).
 */
import { siteOrigin } from "./env";

/** The longest that browsers cache it. */
const PREFLIGHT_LIFE_S = 7_200;

/** The response, made readable to the product's own pages and nobody else's. */
export function readableForPages(request: Request, answer: Response): Response {
  // For strangers too: no cache may hand one origin's response to another.
  answer.headers.append("vary", "Origin");
  const origin = siteOrigin();
  if (origin !== null && request.headers.get("origin") === origin) {
    answer.headers.set("access-control-allow-origin", origin);
  }
  return answer;
}

/** What a browser asks for before it lets a page call with a token. */
export function answerPreflight(request: Request): Response {
  const headers = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "Authorization, Content-Type",
    "access-control-max-age": String(PREFLIGHT_LIFE_S),
  };
  return readableForPages(request, new Response(null, { status: 204, headers }));
}
