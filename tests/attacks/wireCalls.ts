/** Calls of the HTTP API with arbitrary bodies, and arguments for any public function. */
import { randomBytes, randomUUID } from "node:crypto";
import { convexToJson, type Value } from "convex/values";
import { encodeId } from "../../embedded/db/ids";
import { sampleOf, type BuiltFunction } from "../conformance/publicFunctions";
import type { Bank, Visitor } from "./bank";

export type Kind = "query" | "mutation" | "action";
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** One call with exactly this body. */
export async function post(
  bank: Bank,
  kind: Kind,
  body: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(`${bank.origin}/api/${kind}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

/** The header that authenticates a call. */
export const as = ({ token }: Pick<Visitor, "token">) => ({ authorization: `Bearer ${token}` });

/** The body of a call with encoded arguments. */
export const call = (functionPath: string, args: object) =>
  JSON.stringify({ path: functionPath, args, format: "json" });

/** An int64 in its wire format. */
export const wireCents = (cents: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(cents);
  return { $integer: bytes.toString("base64") };
};

/** A float64 that JSON cannot represent, in its wire format. */
export const wireFloat = (number: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(number);
  return { $float: bytes.toString("base64") };
};

/** Encoded arguments of a valid transfer between own accounts. */
export const wireTransfer = (changes: object = {}) => ({
  transferType: "internal",
  fromAccount: "Checking",
  toAccount: "Savings",
  amountCents: wireCents(100n),
  reference: "attack",
  requestKey: randomUUID(),
  ...changes,
});

/** "ok", the code of the refusal, or the whole response when it is neither. */
export function outcomeIn({ text }: Pick<Answer, "text">): string {
  const { status, errorData } = JSON.parse(text) as { status?: string; errorData?: unknown };
  if (status === "success") return "ok";
  const isRefusal = typeof errorData === "object" && errorData !== null && "code" in errorData;
  return isRefusal ? String(errorData.code) : text;
}

/** An id of the table: of its first document, or of no document when it is empty. */
export function someId(bank: Bank, tableName: string): string {
  const { db } = bank.server.backend;
  const txn = db.beginQuery();
  try {
    const source = { type: "FullTableScan", tableName, order: null } as const;
    const first = txn.openStream({ source, operators: [] }).next();
    if (first !== null) return first.id;
  } finally {
    txn.close();
  }
  const table = db.tables().find(({ name }) => name === tableName);
  if (table === undefined) throw new Error(`no table ${tableName}`);
  return encodeId(table.number, randomBytes(16));
}

/** Encoded arguments that the function's own validators accept. */
export function wireArgs(bank: Bank, built: BuiltFunction): Record<string, unknown> {
  const sample = sampleOf(built.args, (tableName) => someId(bank, tableName));
  return convexToJson(sample as Value) as Record<string, unknown>;
}

/** Every document of a table, as stored. */
export function documentsOf(bank: Bank, tableName: string): Record<string, unknown>[] {
  const txn = bank.server.backend.db.beginQuery();
  try {
    const source = { type: "FullTableScan", tableName, order: null } as const;
    const stream = txn.openStream({ source, operators: [] });
    const found: Record<string, unknown>[] = [];
    for (let row = stream.next(); row !== null; row = stream.next()) {
      found.push(JSON.parse(row.json) as Record<string, unknown>);
    }
    stream.close();
    return found;
  } finally {
    txn.close();
  }
}
