/**
 * The globals that user functions see instead of the host's: `Convex`, a frozen clock in queries and
 * mutations, seeded randomness, captured console, the deployment's environment, no network or timers where
 * Convex allows none. Bundled functions reach them through the injected shim (bundle).
 *
 * Not a security boundary: it makes code behave as on Convex, it does not contain hostile code.
 */
import { webcrypto } from "node:crypto";
import { inspect } from "node:util";
import { sandboxDate, sandboxPerformance } from "./clock.ts";
import {
  currentExecution,
  deterministicExecution,
  runWithin,
  seededRandom,
  takeRandom,
  type Execution,
} from "./execution.ts";
import { algorithmName, deriveBitsInThread, noteImportedKey } from "./keyDerivation.ts";
import { TransactionFrame } from "./syscalls.ts";
import { ENVIRONMENT } from "./systemTables.ts";
import { assumeTable } from "./tableReads.ts";

/** Key under which the shim finds the sandbox; the same in every copy of this module. */
export const SANDBOX_KEY = "embedded.convex.sandbox";

/** For code outside of deterministic executions: actions and module load. */
const freeRandom = seededRandom();

function random(): number {
  const execution = deterministicExecution();
  if (execution === undefined) return freeRandom();
  execution.random ??= seededRandom();
  return execution.random();
}

const sandboxMath = Object.defineProperties(
  {},
  {
    ...Object.getOwnPropertyDescriptors(Math),
    random: { value: random, enumerable: false },
  },
) as Math;

const RANDOM_VALUES_MAX_BYTES = 65_536;
const SYSTEM_RANDOM_REFUSED =
  "Can't use cryptographic randomness in queries and mutations. Please consider using an action. " +
  "See https://docs.convex.dev/functions/actions for more details.";

function getRandomValues<T extends ArrayBufferView>(target: T): T {
  if (deterministicExecution() === undefined || target.byteLength > RANDOM_VALUES_MAX_BYTES) {
    // Node's types allow fewer views than the standard; the same object is returned.
    return webcrypto.getRandomValues(target as unknown as Uint8Array) as unknown as T;
  }
  const view = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  view.set(takeRandom(view.length));
  return target;
}

/** True for SubtleCrypto operations that use system randomness, which real Convex refuses in mutations. */
function needsSystemRandomness(operation: string, algorithm: unknown): boolean {
  if (operation === "generateKey") return true;
  const name = algorithmName(algorithm);
  if (operation === "sign") return name === "ECDSA" || name === "RSA-PSS";
  return (operation === "encrypt" || operation === "wrapKey") && name === "RSA-OAEP";
}

const sandboxSubtle = new Proxy(webcrypto.subtle, {
  get: (target, key) => {
    const value = Reflect.get(target, key) as unknown;
    if (typeof value !== "function" || typeof key !== "string") return value;
    return (...args: unknown[]) => {
      if (deterministicExecution() !== undefined && needsSystemRandomness(key, args[0])) {
        return Promise.reject(new Error(SYSTEM_RANDOM_REFUSED));
      }
      const derived = key === "deriveBits" ? deriveBitsInThread(args) : null;
      if (derived !== null) return derived;
      const result = Reflect.apply(value, target, args) as unknown;
      if (key === "importKey") return noteImportedKey(result as Promise<webcrypto.CryptoKey>, args);
      return result;
    };
  },
});

const sandboxCrypto = {
  getRandomValues,
  randomUUID: () => webcrypto.randomUUID(),
  subtle: sandboxSubtle,
};

type Timer = (callback: unknown, ...rest: unknown[]) => unknown;

/** Wraps a timer function: the callback runs as part of the action. */
function ownTimer(start: Timer): Timer {
  return (callback, ...rest) => {
    const execution = currentExecution();
    if (execution === undefined || typeof callback !== "function") return start(callback, ...rest);
    const run = callback as (...args: unknown[]) => unknown;
    return start((...args: unknown[]) => runWithin(execution, () => void run(...args)), ...rest);
  };
}

/** Wraps a host function that Convex offers only in actions. */
function onlyInActions<A extends unknown[], R>(name: string, host: (...args: A) => R) {
  return (...args: A): R => {
    if (deterministicExecution() !== undefined) {
      throw new Error(
        `Can't use ${name}() in queries and mutations. Please consider using an action. ` +
          "See https://docs.convex.dev/functions/actions for more details.",
      );
    }
    return host(...args);
  };
}

function formatLogArgs(args: readonly unknown[]): string {
  return args
    .map((arg) => (typeof arg === "string" ? `'${arg}'` : inspect(arg, { depth: 4 })))
    .join(" ");
}

function writeLine(level: string, text: string): void {
  const execution = currentExecution();
  // Module load and host code have no execution; their lines are dropped.
  execution?.logs.write(level, text, execution.functionPath);
}

function log(level: string, args: readonly unknown[]): void {
  writeLine(level, formatLogArgs(args));
}

const logWith =
  (level: string) =>
  (...args: unknown[]) =>
    log(level, args);

function startTimer(label: unknown = "default"): void {
  const timers = currentExecution()?.timers;
  const name = String(label);
  if (timers?.has(name) === true) writeLine("WARN", `Timer '${name}' already exists`);
  else timers?.set(name, performance.now());
}

/** Prints a timer's whole milliseconds. As on the real backend, the text is not in quotes. */
function tellTimer(label: unknown = "default", args: readonly unknown[] = []): void {
  const name = String(label);
  const started = currentExecution()?.timers.get(name);
  if (started === undefined) return writeLine("WARN", `Timer '${name}' does not exist`);
  const told = `${name}: ${Math.round(performance.now() - started)}ms`;
  writeLine("INFO", args.length === 0 ? told : `${told} ${formatLogArgs(args)}`);
}

/** What an isolate's console has, and no more. */
const sandboxConsole = {
  log: logWith("LOG"),
  info: logWith("INFO"),
  warn: logWith("WARN"),
  error: logWith("ERROR"),
  debug: logWith("DEBUG"),
  trace: (...args: unknown[]) => log("LOG", ["Trace", ...args]),
  time: startTimer,
  timeLog: (label?: unknown, ...args: unknown[]) => tellTimer(label, args),
  timeEnd: (label: unknown = "default") => {
    tellTimer(label);
    currentExecution()?.timers.delete(String(label));
  },
};

const nodeConsole = {
  ...sandboxConsole,
  dir: logWith("LOG"),
  table: logWith("LOG"),
  group: logWith("LOG"),
  groupCollapsed: logWith("LOG"),
  groupEnd: () => undefined,
  count: (label = "default") => log("INFO", [`${label}`]),
  countReset: () => undefined,
  assert: (condition: unknown, ...args: unknown[]) => {
    if (!condition) log("ERROR", ["Assertion failed", ...args]);
  },
};

let importEnv: Readonly<Record<string, string>> = {};

/** Sets `process.env` for module load, when there is no execution. */
export function setImportEnv(env: Readonly<Record<string, string>>): void {
  importEnv = env;
}

/** Adds the environment to the read set: queries and mutations depend on it as on any other table. */
function noteEnvironmentRead({ handler }: Execution): void {
  if (!(handler instanceof TransactionFrame)) return;
  const { scope } = handler;
  if (scope.hasReadEnvironment || scope.isClosed) return;
  scope.hasReadEnvironment = true;
  assumeTable(scope.txn, ENVIRONMENT);
}

function currentEnv(): Readonly<Record<string, string>> {
  const execution = currentExecution();
  if (execution === undefined) return importEnv;
  noteEnvironmentRead(execution);
  return execution.env;
}

/**
 * `process.env` of the default runtime: variables are read by name, and neither listed nor set, as on the real backend.
 * Security: it holds keys, which are not to be seen where all of it is logged.
 */
const namedEnv = new Proxy(Object.create({ [inspect.custom]: () => "[process.env]" }) as object, {
  get: (target, name) => {
    if (typeof name === "symbol") return Reflect.get(target, name) as unknown;
    const env = currentEnv();
    return Object.hasOwn(env, name) ? env[name] : undefined;
  },
  set: () => true,
});

/** `process` inside `"use node"` modules: the host's, except for the environment. */
const nodeProcess = Object.create(process, {
  env: { get: currentEnv },
}) as NodeJS.Process;

function handler() {
  const execution = currentExecution();
  if (execution === undefined) {
    throw new Error("Convex functions can only be used while a function runs.");
  }
  return execution.handler;
}

/** The SDK's global `Convex`: forwards to the syscalls of the current execution. */
const convexGlobal = {
  syscall: (op: string, argsJson: string) => handler().syscall(op, argsJson),
  asyncSyscall: (op: string, argsJson: string) => handler().asyncSyscall(op, argsJson),
  jsSyscall: (op: string, args: Record<string, unknown>) => handler().jsSyscall(op, args),
};

/** What Node has and an isolate lacks: otherwise code works here and fails there. */
const LACKING = [
  ...["Buffer", "require", "global", "setImmediate", "clearImmediate", "Navigator", "navigator"],
  ...["BroadcastChannel", "MessageChannel", "MessageEvent", "MessagePort", "CustomEvent"],
  ...["CloseEvent", "ErrorEvent", "EventSource", "WebSocket", "URLPattern", "QuotaExceededError"],
  ...["CompressionStream", "DecompressionStream", "ByteLengthQueuingStrategy"],
  ...["CountQueuingStrategy", "ReadableByteStreamController", "ReadableStreamBYOBRequest"],
  ...["ReadableStreamDefaultController", "TransformStreamDefaultController"],
  ...["WritableStreamDefaultController", "Storage", "localStorage", "sessionStorage"],
  ...["PerformanceObserver", "PerformanceObserverEntryList", "PerformanceResourceTiming"],
];

const sandbox = {
  Convex: convexGlobal,
  Date: sandboxDate,
  Math: sandboxMath,
  console: sandboxConsole,
  crypto: sandboxCrypto,
  performance: sandboxPerformance,
  process: { env: namedEnv },
  fetch: onlyInActions("fetch", (...args: Parameters<typeof fetch>) => fetch(...args)),
  setTimeout: onlyInActions("setTimeout", ownTimer(setTimeout as unknown as Timer)),
  setInterval: onlyInActions("setInterval", ownTimer(setInterval as unknown as Timer)),
  clearTimeout,
  clearInterval,
  queueMicrotask: (task: () => void) => {
    const execution = currentExecution();
    queueMicrotask(execution === undefined ? task : () => runWithin(execution, task));
  },
  ...Object.fromEntries(LACKING.map((name) => [name, undefined])),
};

/** Names the shim exports to bundled functions of the default runtime. */
export const SANDBOX_NAMES = [...Object.keys(sandbox), "globalThis", "self"];
/** Names the shim exports to `"use node"` modules. */
export const NODE_SANDBOX_NAMES = ["Convex", "process", "console"];

/**
 * Publishes the sandbox for bundled functions, and `Convex` for code that was not bundled (external packages
 * of `"use node"` modules, modules loaded by a test runner).
 */
export function installSandbox(): void {
  const sandboxGlobal: unknown = Object.create(
    globalThis,
    Object.fromEntries(
      Object.entries(sandbox).map(([name, value]) => [name, { value, writable: true }]),
    ),
  );
  const entries = { ...sandbox, globalThis: sandboxGlobal, self: sandboxGlobal };
  const nodeEntries = { Convex: convexGlobal, process: nodeProcess, console: nodeConsole };
  Reflect.set(globalThis, Symbol.for(SANDBOX_KEY), { isolate: entries, node: nodeEntries });
  // Other owners of the global (test runners) keep their value outside of our executions.
  const previous: unknown = Reflect.get(globalThis, "Convex");
  let others = previous === convexGlobal ? undefined : previous;
  Object.defineProperty(globalThis, "Convex", {
    configurable: true,
    get: () => (currentExecution() === undefined ? (others ?? convexGlobal) : convexGlobal),
    set: (value: unknown) => {
      others = value;
    },
  });
}
