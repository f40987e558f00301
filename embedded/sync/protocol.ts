/**
 * Messages of the sync protocol: parsing client messages, writing server messages.
 *
 * Not here: what a message does (session, worker). Long because both directions of one protocol are easiest
 * to check side by side.
 */
import type { JSONValue } from "convex/values";
import { isJsonObject, parseSafeJson } from "../runtime/safeJson.ts";

export interface AddQuery {
  readonly type: "Add";
  readonly queryId: number;
  readonly udfPath: string;
  readonly args: JSONValue;
  readonly journal: string | null;
}

interface RemoveQuery {
  readonly type: "Remove";
  readonly queryId: number;
}

export type ClientMessage =
  | {
      readonly type: "Connect";
      readonly sessionId: string;
      readonly connectionCount: number;
      readonly maxObservedTs: bigint | null;
      readonly clientTs: number | null;
    }
  | {
      readonly type: "ModifyQuerySet";
      readonly baseVersion: number;
      readonly newVersion: number;
      readonly modifications: readonly (AddQuery | RemoveQuery)[];
    }
  | {
      readonly type: "Mutation" | "Action";
      readonly requestId: number;
      readonly udfPath: string;
      readonly args: JSONValue;
      readonly isRootComponent: boolean;
    }
  | {
      readonly type: "Authenticate";
      readonly baseVersion: number;
      readonly credentials: Credentials;
    }
  | { readonly type: "Event" };

export type Credentials =
  | { readonly tokenType: "None" }
  | { readonly tokenType: "User"; readonly value: string }
  | {
      readonly tokenType: "Admin";
      readonly value: string;
      readonly actingAs: Record<string, JSONValue> | null;
    };

/** Version of a client's view: query set, identity, and snapshot of the results. */
export interface StateVersion {
  readonly querySet: number;
  readonly identity: number;
  readonly ts: bigint;
}

/** A message that violates the protocol: answered with FatalError, then the connection closes. */
export class ProtocolError extends Error {}

function numberField(message: Record<string, JSONValue>, name: string): number {
  const value = message[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw new ProtocolError(`${name} must be a nonnegative integer`);
  }
  return value;
}

function textField(message: Record<string, JSONValue>, name: string): string {
  const value = message[name];
  if (typeof value !== "string") throw new ProtocolError(`${name} must be a string`);
  return value;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The arguments object of a call. Clients send an array with one element. */
export function singleArgs(value: JSONValue | undefined): JSONValue {
  if (Array.isArray(value)) {
    if (value.length > 1) throw new ProtocolError("args must hold one object");
    return value[0] ?? {};
  }
  if (!isJsonObject(value)) throw new ProtocolError("args must be an array with one object");
  return value;
}

function isRoot(message: Record<string, JSONValue>): boolean {
  const { componentPath } = message;
  return componentPath === undefined || componentPath === null || componentPath === "";
}

/** Interned function names: one string for all queries that call a function. */
const functionNames = new Map<string, string>();
const NAMES_KEPT_MAX = 4096;
const NAME_KEPT_CHARS_MAX = 128;

function sharedName(name: string): string {
  const known = functionNames.get(name);
  if (known !== undefined) return known;
  const isKept = functionNames.size < NAMES_KEPT_MAX && name.length <= NAME_KEPT_CHARS_MAX;
  if (isKept) functionNames.set(name, name);
  return name;
}

function parseModification(value: JSONValue): AddQuery | RemoveQuery {
  if (!isJsonObject(value)) throw new ProtocolError("a modification must be an object");
  const queryId = numberField(value, "queryId");
  if (value.type === "Remove") return { type: "Remove", queryId };
  if (value.type !== "Add") throw new ProtocolError("unknown modification");
  if (!isRoot(value)) throw new ProtocolError("components are not supported");
  const { journal } = value;
  return {
    type: "Add",
    queryId,
    udfPath: sharedName(textField(value, "udfPath")),
    args: singleArgs(value.args),
    // An empty journal is treated as none, so that the query can be shared.
    journal: typeof journal === "string" && journal !== "" ? journal : null,
  };
}

function parseCredentials(message: Record<string, JSONValue>): Credentials {
  switch (message.tokenType) {
    case "None":
      return { tokenType: "None" };
    case "User":
      return { tokenType: "User", value: textField(message, "value") };
    case "Admin": {
      const actingAs = message.impersonating ?? message.actingAs;
      return {
        tokenType: "Admin",
        value: textField(message, "value"),
        actingAs: isJsonObject(actingAs) ? actingAs : null,
      };
    }
    default:
      throw new ProtocolError("unknown tokenType");
  }
}

/** Parses one frame. @throws ProtocolError or UnsafeJsonError. */
export function parseClientMessage(text: string): ClientMessage {
  const message = parseSafeJson(text);
  if (!isJsonObject(message)) throw new ProtocolError("a message must be an object");
  switch (message.type) {
    case "Connect": {
      const sessionId = textField(message, "sessionId");
      if (!UUID.test(sessionId)) throw new ProtocolError("sessionId must be a uuid");
      const { maxObservedTimestamp, clientTs } = message;
      return {
        type: "Connect",
        sessionId,
        connectionCount: numberField(message, "connectionCount"),
        maxObservedTs:
          typeof maxObservedTimestamp === "string" ? decodeTs(maxObservedTimestamp) : null,
        clientTs: typeof clientTs === "number" ? clientTs : null,
      };
    }
    case "ModifyQuerySet": {
      if (!Array.isArray(message.modifications)) {
        throw new ProtocolError("modifications must be an array");
      }
      return {
        type: "ModifyQuerySet",
        baseVersion: numberField(message, "baseVersion"),
        newVersion: numberField(message, "newVersion"),
        modifications: message.modifications.map(parseModification),
      };
    }
    case "Mutation":
    case "Action":
      return {
        type: message.type,
        requestId: numberField(message, "requestId"),
        udfPath: textField(message, "udfPath"),
        args: singleArgs(message.args),
        isRootComponent: isRoot(message),
      };
    case "Authenticate":
      return {
        type: "Authenticate",
        baseVersion: numberField(message, "baseVersion"),
        credentials: parseCredentials(message),
      };
    case "Event":
      return { type: "Event" };
    default:
      throw new ProtocolError("unknown message type");
  }
}

/** Encodes a timestamp: base64 of 8 bytes, little-endian. */
export function encodeTs(ts: bigint): string {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64LE(ts);
  return bytes.toString("base64");
}

/** @throws ProtocolError when the text is not 8 bytes of base64 */
export function decodeTs(text: string): bigint {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== 8) throw new ProtocolError("malformed timestamp");
  return bytes.readBigUInt64LE();
}

function versionJson(version: StateVersion): string {
  return `{"querySet":${version.querySet},"identity":${version.identity},"ts":"${encodeTs(version.ts)}"}`;
}

/** A Transition. `modifications` are JSON texts made by the functions below. */
export function transitionMessage(
  start: StateVersion,
  end: StateVersion,
  modifications: readonly string[],
  clientClockSkewMs: number | null,
): string {
  const skew =
    clientClockSkewMs === null
      ? ""
      : `,"clientClockSkew":${clientClockSkewMs},"serverTs":${String(BigInt(Date.now()) * 1_000_000n)}`;
  return (
    `{"type":"Transition","startVersion":${versionJson(start)},"endVersion":${versionJson(end)},` +
    `"modifications":[${modifications.join(",")}]${skew}}`
  );
}

/** One query's new value; `body` comes from `queryBody` and may be shared by many clients. */
export function queryModification(queryId: number, body: string): string {
  return `{"queryId":${queryId},${body}`;
}

/** The modification that confirms a client's Remove. */
export function queryRemoved(queryId: number): string {
  return `{"type":"QueryRemoved","queryId":${queryId}}`;
}

/** The part of a query modification that does not depend on the client. */
export function queryBody(
  result: { readonly valueJson: string } | { readonly message: string; readonly data?: JSONValue },
  logLines: readonly string[],
  journal: string | null,
): string {
  const tail = `"logLines":${JSON.stringify(logLines)},"journal":${JSON.stringify(journal)}}`;
  if ("valueJson" in result) return `"type":"QueryUpdated","value":${result.valueJson},${tail}`;
  const data = result.data === undefined ? "" : `"errorData":${JSON.stringify(result.data)},`;
  return `"type":"QueryFailed","errorMessage":${JSON.stringify(result.message)},${data}${tail}`;
}

/** Clients deliver it only after a Transition has reached `ts`, the commit (nanoseconds). */
export function mutationSucceeded(
  requestId: number,
  valueJson: string,
  ts: bigint,
  logLines: readonly string[],
): string {
  return (
    `{"type":"MutationResponse","requestId":${requestId},"success":true,"result":${valueJson},` +
    `"ts":"${encodeTs(ts)}","logLines":${JSON.stringify(logLines)}}`
  );
}

/** It has no `ts`: clients deliver it at once, whatever their queries show. */
export function actionSucceeded(
  requestId: number,
  valueJson: string,
  logLines: readonly string[],
): string {
  return (
    `{"type":"ActionResponse","requestId":${requestId},"success":true,"result":${valueJson},` +
    `"logLines":${JSON.stringify(logLines)}}`
  );
}

/** Clients deliver it at once. `data` is that of a ConvexError, encoded. */
export function callFailed(
  kind: "Mutation" | "Action",
  requestId: number,
  failure: { readonly message: string; readonly data?: JSONValue },
  logLines: readonly string[],
): string {
  return JSON.stringify({
    type: `${kind}Response`,
    requestId,
    success: false,
    result: failure.message,
    ...(failure.data !== undefined && { errorData: failure.data }),
    logLines,
  });
}

/**
 * @param baseVersion identity version of the last Transition
 * @param authUpdateAttempted true for the answer to an Authenticate, false when a token has expired since
 */
export function authError(
  error: string,
  baseVersion: number,
  authUpdateAttempted: boolean,
): string {
  return JSON.stringify({ type: "AuthError", error, baseVersion, authUpdateAttempted });
}

/** Official clients throw it and do not reconnect. */
export function fatalError(error: string): string {
  return JSON.stringify({ type: "FatalError", error });
}

export const PING = '{"type":"Ping"}';
