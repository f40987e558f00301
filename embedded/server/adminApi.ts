/** Routes of the official CLI that need the admin key. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { JSONValue } from "convex/values";
import type { EnvironmentChange } from "../runtime/environment.ts";
import { NO_IDENTITY } from "../runtime/identity.ts";
import { isJsonObject } from "../runtime/safeJson.ts";
import { messageOf } from "../storage/errorText.ts";
import { jsonBody, requireAdminKey, type ApiContext } from "./api.ts";
import { HttpError, sendJson } from "./http.ts";

interface AdminContext extends ApiContext {
  changeEnvironment(changes: readonly EnvironmentChange[]): Promise<void>;
}

const PUSH_ROUTES = ["/api/deploy2/", "/api/get_config", "/api/push_config", "/api/prepare_schema"];

/** @throws Error for anything else: taken for null, a number would remove the variable */
function changesOf(given: JSONValue | undefined): EnvironmentChange[] {
  if (!Array.isArray(given)) throw new Error("changes must be an array");
  return given.map((change) => {
    if (!isJsonObject(change) || typeof change.name !== "string") {
      throw new Error("Each change needs a name");
    }
    const { name, value = null } = change;
    if (value !== null && typeof value !== "string") {
      throw new Error(`The value of ${name} must be a string, or null to remove it`);
    }
    return { name, value };
  });
}

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
  const body = await jsonBody(context, request, { identity: NO_IDENTITY, ip });
  try {
    await context.changeEnvironment(changesOf(body.changes));
  } catch (error) {
    throw new HttpError(400, "InvalidEnvironmentVariable", messageOf(error));
  }
  sendJson(response, 200, "null");
  return true;
}
