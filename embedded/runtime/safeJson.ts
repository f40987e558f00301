/** Parses untrusted JSON: limited depth, no `__proto__` keys. */
import type { JSONValue } from "convex/values";

/** Official nesting limit of arguments (64) plus the envelope of protocol messages. */
const DEPTH_MAX = 72;

/** JSON that is not accepted. The sender gets the message: status 400, or a FatalError on a socket. */
export class UnsafeJsonError extends Error {}

/**
 * Parses `text` and rejects what could attack the conversion to values.
 *
 * @throws UnsafeJsonError for malformed JSON, excessive depth, `__proto__` keys
 */
export function parseSafeJson(text: string): JSONValue {
  let value: JSONValue;
  try {
    value = JSON.parse(text) as JSONValue;
  } catch {
    throw new UnsafeJsonError("Malformed JSON");
  }
  assertSafe(value);
  return value;
}

/** Iterative: hostile depth must not overflow the call stack. */
function assertSafe(root: JSONValue): void {
  let level: JSONValue[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) throw new UnsafeJsonError("JSON is nested too deeply");
    const below: JSONValue[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      if (Array.isArray(value)) {
        for (const item of value) if (typeof item === "object") below.push(item);
        continue;
      }
      for (const key of Object.keys(value)) {
        if (key === "__proto__") throw new UnsafeJsonError("The key __proto__ is not allowed");
        const item = value[key];
        if (typeof item === "object" && item !== null) below.push(item);
      }
    }
    level = below;
  }
}

/** An object of parsed JSON: neither null nor an array. */
export function isJsonObject(value: unknown): value is Record<string, JSONValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
