/** The deployment's environment variables: stored in the database, between the host's two kinds. */
import type { Database, Transaction } from "../db/types.ts";
import type { Deployment } from "./deployment.ts";
import type { Runtime } from "./runtime.ts";
import { ENVIRONMENT } from "./systemTables.ts";
import { parseDocument, readIndex, readNewest, readTable } from "./tableReads.ts";

const VARIABLES_MAX = 512;
const TOTAL_MAX_BYTES = 512 * 1024;
const NAME_MAX_CHARS = 256;
const VALUE_MAX_BYTES = 8 * 1024;

export interface EnvironmentChange {
  readonly name: string;
  /** Null removes the variable. */
  readonly value: string | null;
}

interface Row {
  readonly _id: string;
  readonly name: string;
  readonly value: string;
}

/** The stored variables, in order of name. */
export function storedEnvironment(db: Database): Record<string, string> {
  const rows = readNewest(db, (txn) => readTable(txn, ENVIRONMENT, VARIABLES_MAX)).map((row) =>
    parseDocument<Row>(row),
  );
  return Object.fromEntries(
    rows.sort((a, b) => (a.name < b.name ? -1 : 1)).map((row) => [row.name, row.value]),
  );
}

/** What the host gives. */
export interface HostEnvironment {
  /** Overridden by stored variables. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Overrides stored variables, so none can be stored under these names. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** The environment that functions see. */
export function functionEnvironment(
  stored: Readonly<Record<string, string>>,
  { defaults, fixed }: HostEnvironment,
): Readonly<Record<string, string>> {
  return Object.freeze({ ...defaults, ...stored, ...fixed });
}

function assertChange(change: EnvironmentChange, { fixed }: HostEnvironment): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(change.name) || change.name.length > NAME_MAX_CHARS) {
    throw new Error(`Environment variable name "${change.name}" is invalid`);
  }
  if (change.value !== null && Object.hasOwn(fixed, change.name)) {
    throw new Error(
      `Environment variable name "${change.name}" is reserved: the server gives it itself`,
    );
  }
  if (change.value !== null && Buffer.byteLength(change.value) > VALUE_MAX_BYTES) {
    throw new Error(`Environment variable "${change.name}" is too large (limit: 8 KiB)`);
  }
}

function assertWithinLimits(txn: Transaction): void {
  const rows = readTable(txn, ENVIRONMENT, VARIABLES_MAX + 1);
  if (rows.length > VARIABLES_MAX) {
    throw new Error(`There are too many environment variables (limit: ${VARIABLES_MAX})`);
  }
  const sizes = rows.map((row) => {
    const { name, value } = parseDocument<Row>(row);
    return name.length + Buffer.byteLength(value);
  });
  if (sizes.reduce((sum, size) => sum + size, 0) > TOTAL_MAX_BYTES) {
    throw new Error("The environment variables are too large together (limit: 512 KiB)");
  }
}

/**
 * Applies changes durably, all or none.
 * @throws Error for invalid or reserved names, oversized values, and too many or too much in all
 */
export async function changeEnvironment(
  runtime: Runtime,
  deployment: Deployment,
  host: HostEnvironment,
  changes: readonly EnvironmentChange[],
): Promise<void> {
  changes.forEach((change) => assertChange(change, host));
  const { db } = deployment;
  // Updated with the commit, not after it, because dependent queries run again at once.
  const stopListening = db.onDurable(() => {
    deployment.env = functionEnvironment(storedEnvironment(db), host);
  });
  try {
    await runtime.transact(({ txn }) => {
      for (const { name, value } of changes) {
        const [row] = readIndex(txn, `${ENVIRONMENT}.by_name`, [["name", name]], { limit: 1 });
        if (value === null && row !== undefined) txn.remove(row.id);
        else if (value !== null && row !== undefined) txn.patch(row.id, { value });
        else if (value !== null) txn.insert(ENVIRONMENT, { name, value });
      }
      if (changes.some(({ value }) => value !== null)) assertWithinLimits(txn);
    });
  } finally {
    stopListening();
  }
}
