/**
 * Addresses at which no route of `http.ts` is asked: clients, the official CLI and operators need them, and a router
 * with a route for everything (a prefix of "/", Hono) would otherwise take them away. Officially, HTTP actions have an
 * origin of their own; here, `sitePort` is one.
 */
const FUNCTIONS = "query|query_ts|query_at_ts|query_batch|mutation|action|function|run/.+";
const TOOLS =
  "debug_event|update_environment_variables|stream_function_logs|operator/.+|export/(?:request/zip|zip/.+)";
const PUSHES = "deploy2/.+|get_config|get_config_hashes|push_config|prepare_schema";

const OWN = new RegExp(
  `^/(?:api/(?:${FUNCTIONS}|storage/.+|${TOOLS}|${PUSHES})|version|instance_version|instance_name)$`,
);

/** True when the backend itself serves this address, whatever routes the functions have. */
export const isOwnPath = (pathname: string): boolean => OWN.test(pathname);
