/** Routes of the official CLI that need the admin key. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { EnvironmentChange } from "../runtime/environment.ts";
import { isJsonObject } from "../runtime/safeJson.ts";
import { jsonBody, requireAdminKey, type ApiContext } from "./api.ts";
import { HttpError, sendJson } from "./http.ts";

interface AdminContext extends ApiContext {
  changeEnvironment(changes: readonly EnvironmentChange[]): Promise<void>;
}

const PUSH_ROUTES = ["/api/deploy2/", "/api/get_config", "/api/push_config", "/api/prepare_schema"];

/** Serves a POST of the CLI. Returns false when the path is not one of these routes. @throws HttpError */
export async function serveAdminPost(
  context: AdminContext,
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, ip }: { pathname: string; ip: string },
): Promise<boolean> {
  if (PUSH_ROUTES.some((route) => pathname.startsWith(route))) {
    throw new HttpError(
      400,
      "PushNotSupported",
      "The embedded backend loads its functions folder itself; pushing is not supported.",
    );
  }
  if (pathname !== "/api/update_environment_variables") return false;
  await requireAdminKey(context.authenticator, request);
  const body = await jsonBody(context, request, ip);
  const changes = Array.isArray(body.changes) ? body.changes : [];
  try {
    await context.changeEnvironment(
      changes.map((change): EnvironmentChange => {
        if (!isJsonObject(change) || typeof change.name !== "string") {
          throw new Error("Each change needs a name");
        }
        const { name, value } = change;
        return { name, value: typeof value === "string" ? value : null };
      }),
    );
  } catch (error) {
    const text = error instanceof Error ? error.message : "Invalid change";
    throw new HttpError(400, "InvalidEnvironmentVariable", text);
  }
  sendJson(response, 200, "null");
  return true;
}
