/**
 * The system tables. Names start with `_`. Functions can read `_storage` and `_scheduled_functions` through
 * `db.system` and write none of them.
 */
import type { SchemaJson, TableJson } from "../db/types.ts";

export const SCHEDULED_FUNCTIONS = "_scheduled_functions";
export const STORAGE = "_storage";
/** The address (a uuid) of each stored file, separate from its id; written together with `_storage`. */
export const STORAGE_FILES = "_storage_files";
export const CRON_JOBS = "_crons";
export const ENVIRONMENT = "_environment";
/** Answers of successful mutations by (session, request): resending a mutation is harmless. */
export const SESSION_REQUESTS = "_session_requests";

/** Tables that functions can read through `db.system`. */
export const VISIBLE_SYSTEM_TABLES: ReadonlySet<string> = new Set([STORAGE, SCHEDULED_FUNCTIONS]);

function table(tableName: string, indexes: Record<string, string[]>): TableJson {
  return {
    tableName,
    indexes: Object.entries(indexes).map(([indexDescriptor, fields]) => ({
      indexDescriptor,
      fields,
    })),
    searchIndexes: [],
    vectorIndexes: [],
    documentType: { type: "any" },
  };
}

/** Indexes of the system tables, in the form of an exported schema. */
export const SYSTEM_TABLES: SchemaJson = {
  tables: [
    table(SCHEDULED_FUNCTIONS, {
      by_state: ["state.kind", "scheduledTime"],
      by_completed: ["completedTime"],
    }),
    table(STORAGE, { by_sha256: ["sha256"] }),
    table(STORAGE_FILES, { by_storageId: ["storageId"], by_uuid: ["uuid"] }),
    table(CRON_JOBS, { by_name: ["name"] }),
    table(ENVIRONMENT, { by_name: ["name"] }),
    table(SESSION_REQUESTS, {
      by_session: ["sessionId", "requestId", "fingerprint"],
    }),
  ],
  schemaValidation: false,
};
