/**
 * Failures of functions, in the form the official clients expect.
 *
 * Not here: transport errors (server/http), protocol errors (sync/protocol).
 */
import { findSourceMap } from "node:module";
import type { JSONValue } from "convex/values";
import { UnknownOutcomeError } from "../db/errors.ts";

/** Why a function failed. `data` is set for ConvexError only and always reaches the client. */
export interface FunctionFailure {
  /** First line without the `Uncaught ` prefix: `Error: message`, or the message alone of a {@link CallRefusal}. */
  readonly text: string;
  /** False for a {@link CallRefusal}. */
  readonly isThrown: boolean;
  /** Source-mapped frames, one per line, each indented by four spaces; may be empty. */
  readonly frames: string;
  readonly data?: JSONValue;
  /** Safe to show even where messages are redacted: it reveals nothing that any stranger could not find out. */
  readonly isPublic: boolean;
  /** Not caused by the function itself: the same call may succeed later. */
  readonly isTransient: boolean;
}

/** A failure raised by the backend itself (missing function, bad arguments, limits), not by user code. */
export class BackendError extends Error {
  override readonly name: string = "Error";
  readonly isPublic: boolean;
  readonly isTransient: boolean;

  constructor(message: string, options?: { isPublic?: boolean; isTransient?: boolean }) {
    super(message);
    this.isPublic = options?.isPublic ?? false;
    this.isTransient = options?.isTransient ?? false;
  }
}

/** The call itself is refused or ended, by no function: officially, only what a function throws is `Uncaught`. */
export class CallRefusal extends BackendError {}

/** A failed nested call: `message` contains the callee's text, `data` the payload of a ConvexError. */
export class NestedFunctionError extends Error {
  /** Read by the SDK: present only for ConvexErrors, as parsed encoded JSON. */
  declare readonly data?: JSONValue;

  constructor(failure: FunctionFailure) {
    super(uncaughtText(failure));
    if (failure.data !== undefined) {
      Object.defineProperty(this, "data", { value: failure.data, enumerable: true });
    }
  }
}

/**
 * Handles an error of committed work. When only the next start knows the outcome, it never settles, so that
 * no caller is told something untrue.
 * @throws every other error unchanged
 */
export function neverSettleIfUnknown(error: unknown): Promise<never> {
  if (!(error instanceof UnknownOutcomeError)) throw error;
  return new Promise(() => undefined);
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? (Reflect.get(value, key) as unknown)
    : undefined;
}

/**
 * Maps a stack frame of a bundled module to its source. Node does this itself, except where another tool (a
 * test runner) formats stacks.
 *
 * Security: a stack begins with the message, of which clients choose parts of any length. One pattern for all of a
 * frame would take quadratic time.
 */
function mappedLine(line: string): string {
  const place = /:(\d+):(\d+)\)?$/.exec(line);
  if (place === null) return line;
  const before = line.slice(0, place.index);
  const rest = before.slice(Math.max(before.lastIndexOf("("), before.lastIndexOf(")")) + 1);
  const file = rest.slice(Math.max(0, rest.search(/(?:file:\/\/)?\//)));
  if (!/^(?:file:\/\/)?\/.+\.js$/.test(file)) return line;
  const [, lineNumber, column] = place;
  const entry = findSourceMap(file)?.findEntry(Number(lineNumber) - 1, Number(column) - 1);
  if (entry === undefined || !("originalSource" in entry)) return line;
  const source = entry.originalSource.replace("file://", "");
  const mapped = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return line.replace(`${file}:${lineNumber}:${column}`, mapped);
}

function frameLines(stack: unknown, functionsDir: string): string {
  if (typeof stack !== "string") return "";
  const root = `${functionsDir}/`;
  const lines: string[] = [];
  for (const raw of stack.split("\n")) {
    const line = mappedLine(raw);
    const at = line.indexOf(root);
    if (!/^\s+at /.test(line) || at < 0 || line.includes("/node_modules/")) continue;
    const shown = line
      .trim()
      .replace("file://", "")
      .replace(root, "../convex/")
      .replace(/^at (?:async )?(?:Object\.)?/, "at ");
    lines.push(`    ${shown.startsWith("at ../") ? `at <anonymous> (${shown.slice(3)})` : shown}`);
  }
  return lines.join("\n");
}

/** The first line of a failure as it is shown. */
const uncaughtText = ({ text, isThrown }: FunctionFailure): string =>
  isThrown ? `Uncaught ${text}` : text;

/** A failure with its frames, as those who run the deployment see it. */
export const tracedText = (failure: FunctionFailure): string =>
  `${uncaughtText(failure)}\n${failure.frames}`;

/** Describes anything user code threw; never throws. */
export function describeFailure(thrown: unknown, functionsDir: string): FunctionFailure {
  try {
    return describe(thrown, functionsDir);
  } catch {
    // An object without a prototype has no string form, a getter may throw, a foreign ConvexError may hold
    // invalid JSON.
    const text = "Error: What was thrown cannot be described";
    return { text, frames: "", isThrown: true, isPublic: false, isTransient: false };
  }
}

/** Detects ConvexError by its marker, because a bundle has its own copy of the class. */
function describe(thrown: unknown, functionsDir: string): FunctionFailure {
  const frames = frameLines(property(thrown, "stack"), functionsDir);
  const rawData = property(thrown, "data");
  const isConvexError =
    property(thrown, "ConvexErrorSymbol") !== undefined && typeof rawData === "string";
  const thrownBy = {
    frames,
    isThrown: true,
    isPublic: false,
    isTransient: false,
    ...(isConvexError && { data: JSON.parse(rawData) as JSONValue }),
  };
  if (thrown instanceof BackendError) {
    const { name, message, isPublic, isTransient } = thrown;
    const isThrown = !(thrown instanceof CallRefusal);
    const text = isThrown ? `${name}: ${message}` : message;
    return { text, frames, isThrown, isPublic, isTransient };
  }
  if (thrown instanceof Error || property(thrown, "message") !== undefined) {
    const name = property(thrown, "name");
    const message = property(thrown, "message");
    const prefix = typeof name === "string" && name !== "" ? name : "Error";
    return { ...thrownBy, text: message === "" ? prefix : `${prefix}: ${String(message)}` };
  }
  return { ...thrownBy, text: String(thrown) };
}

/** The message a client gets. Redacted deployments hide everything but the request id. */
export function clientMessage(
  failure: FunctionFailure,
  requestId: string,
  isRedacting: boolean,
): string {
  const head = `[Request ID: ${requestId}] Server Error`;
  if (isRedacting && !failure.isPublic) return head;
  const frames = failure.frames === "" ? "" : `${failure.frames}\n`;
  return `${head}\n${uncaughtText(failure)}\n${frames}`;
}
