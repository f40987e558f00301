/**
 * `Date` and `performance` as user functions see them: in queries and mutations the date stands still, in
 * queries `performance.now` too. In mutations it runs, as on the real backend.
 */
import { deterministicExecution } from "./execution.ts";

function nowMs(): number {
  const execution = deterministicExecution();
  if (execution === undefined) return Date.now();
  execution.hasReadClock = true;
  return execution.frozenNowMs;
}

function elapsedMs(): number {
  const isQuery = deterministicExecution()?.kind === "query";
  return isQuery ? nowMs() - performance.timeOrigin : performance.now();
}

export const sandboxDate = new Proxy(Date, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget) as object,
  apply: () => new Date(nowMs()).toString(),
  get: (target, key, receiver) =>
    key === "now" ? nowMs : (Reflect.get(target, key, receiver) as unknown),
});

export const sandboxPerformance = new Proxy(performance, {
  get: (target, key) => {
    if (key === "now") return elapsedMs;
    const value = Reflect.get(target, key) as unknown;
    // The host's own functions insist on the host's object.
    return typeof value === "function" ? (value.bind(target) as unknown) : value;
  },
});
