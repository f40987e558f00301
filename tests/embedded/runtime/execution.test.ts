/**
 * Which execution the code belongs to: across awaits, real waiting, timers and callbacks, also with several
 * at once.
 */
import { webcrypto } from "node:crypto";
import { httpActionGeneric, httpRouter } from "convex/server";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  currentExecution,
  runActionWithin,
  runWithin,
  type Execution,
  type ExecutionKind,
} from "../../../embedded/runtime/execution";
import { embeddedTest } from "../../../embedded/testing";

function execution(kind: ExecutionKind, functionPath: string): Execution {
  return {
    kind,
    functionPath,
    request: {
      requestId: "",
      ip: null,
      userAgent: null,
      authToken: null,
      scheduledFunctionId: null,
    },
    handler: { syscall: () => "", asyncSyscall: async () => "", jsSyscall: () => null },
    logs: { lines: [], write: () => undefined },
    env: {},
    frozenNowMs: kind === "action" ? null : 1,
    hasReadClock: false,
    random: null,
    timers: new Map(),
    functionIndex: -1,
  };
}

const running = (): string | undefined => currentExecution()?.functionPath;

/** Returns the current execution after each kind of waiting. */
async function seenWhileWaiting(): Promise<(string | undefined)[]> {
  const seen = [running()];
  const helper = async () => {
    await Promise.resolve();
    seen.push(running());
  };
  await Promise.all([helper(), helper()]);
  seen.push(running());
  await webcrypto.subtle.digest("SHA-256", new Uint8Array(8));
  seen.push(running());
  const thenable = { then: (resolve: (value: string) => void) => resolve("") };
  await thenable;
  seen.push(running());
  await Promise.reject(new Error("caught")).catch(() => seen.push(running()));
  return seen;
}

describe("the running function", () => {
  it("is found after every kind of waiting, while others wait as well", async () => {
    const names = Array.from({ length: 20 }, (_, n) => `m:f${n}`);
    const seen = await Promise.all(
      names.map((name) => runWithin(execution("mutation", name), seenWhileWaiting)),
    );
    expect(seen).toEqual(names.map((name) => Array.from({ length: 7 }, () => name)));
    expect(running()).toBeUndefined();
  });

  it("is the inner one within another, and the outer one again after it", async () => {
    const seen = await runWithin(execution("mutation", "outer"), async () => {
      const inner = await runWithin(execution("query", "inner"), seenWhileWaiting);
      return [...new Set(inner), running()];
    });
    expect(seen).toEqual(["inner", "outer"]);
  });

  it("of an action is found in its timers, and a mutation within it is its own", async () => {
    const other = runWithin(execution("query", "other"), seenWhileWaiting);
    const { result, ended } = runActionWithin(execution("action", "action"), async () => {
      const timer = new Promise((resolve) => setTimeout(() => resolve(running()), 1));
      const inner = await runWithin(execution("mutation", "mutation"), seenWhileWaiting);
      return [await timer, ...new Set(inner), running()];
    });
    expect(await result).toEqual(["action", "mutation", "action"]);
    ended();
    expect(new Set(await other)).toEqual(new Set(["other"]));
    expect(running()).toBeUndefined();
  });

  it("is none in the timers of an HTTP action that ended without an answer, also while another runs", async () => {
    const other = runActionWithin(execution("action", "other"), () => undefined);
    onTestFinished(other.ended);
    const fired: Promise<string | undefined>[] = [];
    let hasEnded = false;
    const fireOnceEnded = (resolve: (found: string | undefined) => void): void =>
      void setTimeout(() => (hasEnded ? resolve(running()) : fireOnceEnded(resolve)), 1);
    const http = httpRouter();
    const handler = httpActionGeneric(() => {
      fired.push(new Promise(fireOnceEnded));
      return Promise.resolve(undefined as unknown as Response);
    });
    http.route({ path: "/forgotten", method: "GET", handler });
    const t = embeddedTest(undefined, { "http.ts": () => Promise.resolve({ default: http }) });
    expect((await t.fetch("/forgotten")).status).toBe(500);
    hasEnded = true;
    expect(await Promise.all(fired)).toEqual([undefined]);
  });
});
