/**
 * Queries that the official CLI makes with the admin key (`convex data`, `env`, `function-spec`), answered by
 * the backend itself. They are internal functions: clients without the key cannot find them.
 */
import { convexToJson, type JSONValue } from "convex/values";
import type { Order, StoredDocument } from "../db/types.ts";
import { filePath } from "./deployment.ts";
import type { FunctionModules, FunctionSpec, NativeQuery } from "./modules.ts";
import { isJsonObject } from "./safeJson.ts";
import { ENVIRONMENT } from "./systemTables.ts";
import { parseDocument, readIndex, readTable } from "./tableReads.ts";

const ROWS_MAX = 1000;

function argsObject(args: JSONValue): Record<string, JSONValue> {
  return isJsonObject(args) ? args : {};
}

function variable(row: StoredDocument): { name: string; value: string } {
  const { name, value } = parseDocument<{ name: string; value: string }>(row);
  return { name, value };
}

const environmentList: NativeQuery = (_, { txn }) =>
  JSON.stringify(readTable(txn, ENVIRONMENT, ROWS_MAX).map(variable));

const environmentGet: NativeQuery = (_, { txn }, args) => {
  const { name } = argsObject(args);
  const equal = [["name", typeof name === "string" ? name : ""]] as const;
  const [row] = readIndex(txn, `${ENVIRONMENT}.by_name`, equal, { limit: 1 });
  return row === undefined ? "null" : JSON.stringify(variable(row));
};

const tables: NativeQuery = ({ db }) => {
  const names = db
    .tables()
    .map((table) => table.name)
    .filter((name) => !name.startsWith("_"))
    .sort();
  return JSON.stringify({
    page: names.map((name) => ({ name })),
    isDone: true,
    continueCursor: "end",
  });
};

const tableData: NativeQuery = (_, { txn }, args) => {
  const { table, order, paginationOpts } = argsObject(args);
  const { cursor, numItems } = argsObject(paginationOpts ?? null);
  if (typeof table !== "string") throw new Error("table must be a string");
  const page = txn.paginate(
    {
      source: {
        type: "FullTableScan",
        tableName: table,
        order: (order === "asc" ? "asc" : "desc") satisfies Order,
      },
      operators: [],
    },
    {
      cursor: typeof cursor === "string" ? cursor : null,
      endCursor: null,
      pageSize: typeof numItems === "number" ? Math.min(Math.max(numItems, 1), ROWS_MAX) : 100,
    },
  );
  const rows = page.page.map((row) => row.json).join(",");
  const cursorJson = JSON.stringify(page.continueCursor);
  return `{"page":[${rows}],"isDone":${page.isDone},"continueCursor":${cursorJson}}`;
};

const apiSpec: NativeQuery = ({ modules }) => {
  const kinds = { query: "Query", mutation: "Mutation", action: "Action", http: "HttpAction" };
  const specs = [...modules.functions.values()]
    .filter((spec) => spec.native === undefined && spec.kind !== "http")
    .map((spec) => ({
      functionType: kinds[spec.kind],
      identifier: filePath(spec.path),
      visibility: { kind: spec.isPublic ? "public" : "internal" },
      args: spec.args,
      returns: spec.returns ?? { type: "any" },
    }));
  return JSON.stringify(specs);
};

/** State of the newest export, in the form that `convex export` polls for. */
const latestExport: NativeQuery = ({ latestExport: latest }) =>
  latest === null
    ? "null"
    : JSON.stringify(
        convexToJson({
          state: "completed",
          start_ts: latest.startTs,
          complete_ts: latest.completeTs,
          zip_object_key: `${latest.startTs}.zip`,
        }),
      );

const cloudUrl: NativeQuery = ({ settings }) => JSON.stringify(settings.cloudUrl);
const siteUrl: NativeQuery = ({ settings }) => JSON.stringify(settings.siteUrl);

const NATIVE_QUERIES: Readonly<Record<string, NativeQuery>> = {
  "_system/cli/queryEnvironmentVariables:default": environmentList,
  "_system/cli/queryEnvironmentVariables:get": environmentGet,
  "_system/cli/tables:default": tables,
  "_system/cli/tableData:default": tableData,
  "_system/cli/modules:apiSpec": apiSpec,
  "_system/cli/exports:getLatest": latestExport,
  // `convex import` lists running imports before it gets the error that names another command.
  "_system/cli/queryImport:list": () => "[]",
  "_system/cli/convexUrl:cloudUrl": cloudUrl,
  "_system/cli/convexUrl:siteUrl": siteUrl,
};

const specOf = (path: string, native: NativeQuery): FunctionSpec => ({
  path,
  index: -1,
  kind: "query",
  isPublic: false,
  args: { type: "any" },
  returns: null,
  registered: {},
  native,
});

/** The deployment's functions plus the backend's own queries. */
export function withSystemQueries(modules: FunctionModules): FunctionModules {
  const functions = new Map(modules.functions);
  for (const [path, native] of Object.entries(NATIVE_QUERIES)) {
    functions.set(path, specOf(path, native));
  }
  return { ...modules, functions };
}
