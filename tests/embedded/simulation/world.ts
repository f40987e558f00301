/**
 * A simulated world for a server in this process: one clock, one queue of events, one source of randomness,
 * all determined by a seed. Nothing runs unless the world scheduled it, so a seed replays exactly.
 *
 * It replaces the platform (`Date`, timers, `Math.random`, `node:crypto`); the server's own modules run in it
 * unchanged. Running code belongs to the owner of the current step, including promises: a step ends when no
 * promise has anything left to do, so nothing has to be stored per promise. Not here: the disk (disk), the
 * network (network), the scenario (simulation).
 */
import crypto, { createHash, type Hash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { chanceOf } from "../../support/chance";

/** 2026-03-02 12:00 in New York. */
const START_MS = 1_772_470_800_000;
const { setImmediate: realSetImmediate } = globalThis;

interface Task {
  readonly atMs: number;
  readonly order: number;
  readonly owner: string;
  readonly run: () => void;
  isCanceled: boolean;
}

const NOBODY = "world";
let current: World | null = null;

export class World {
  readonly chance: () => number;
  /** Sorted latest first, so that the next one is at the end; among equal times, the first planned is next. */
  private readonly tasks: Task[] = [];
  private readonly dead = new Set<string>();
  private readonly hash: Hash = createHash("sha256");
  /** The owner of the running code. Events planned by a dead owner do not happen. */
  private owner = NOBODY;
  private order = 0;
  private elapsedMs = 0;
  private clockOffsetMs = 0;
  /** The last lines of the trace, for a failure report. */
  readonly lastNotes: string[] = [];

  constructor(seed: number) {
    this.chance = chanceOf(seed);
  }

  /** Monotonic time since the start, in ms. */
  get nowMs(): number {
    return this.elapsedMs;
  }
  get wallMs(): number {
    return START_MS + Math.floor(this.elapsedMs) + this.clockOffsetMs;
  }

  /** Sets the wall clock forward or back; timers are not affected. */
  jumpClock(byMs: number): void {
    this.clockOffsetMs += byMs;
  }

  /** A whole number from `low` up to (not including) `high`. */
  pick(low: number, high: number): number {
    return low + Math.floor(this.chance() * (high - low));
  }
  isHit(probability: number): boolean {
    return this.chance() < probability;
  }

  plan(delayMs: number, run: () => void, owner = this.owner): Task {
    const atMs = this.elapsedMs + Math.max(delayMs, 0);
    const task = { atMs, order: this.order++, owner, run, isCanceled: false };
    this.tasks.splice(this.placeOf(task), 0, task);
    return task;
  }

  cancel(task: Task): void {
    task.isCanceled = true;
    const at = this.placeOf(task);
    if (this.tasks[at] === task) this.tasks.splice(at, 1);
  }

  private placeOf({ atMs, order }: Task): number {
    let [low, high] = [0, this.tasks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.tasks[middle]!;
      const isLater = other.atMs > atMs || (other.atMs === atMs && other.order > order);
      if (isLater) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  delay(ms: number): Promise<void> {
    return new Promise((resolve) => this.plan(ms, resolve));
  }

  /** Runs `body` as `owner`, until it waits for the first time. */
  as<T>(owner: string, body: () => T): T {
    const outer = this.owner;
    this.owner = owner;
    try {
      return body();
    } finally {
      this.owner = outer;
    }
  }

  /** Cancels everything this owner has planned. */
  kill(owner: string): void {
    this.dead.add(owner);
  }
  isDead(owner: string): boolean {
    return this.dead.has(owner);
  }

  /** Runs the next event and everything that follows from it at once. Returns false when none is left. */
  async step(): Promise<boolean> {
    const task = this.tasks.pop();
    if (task === undefined) return false;
    if (this.dead.has(task.owner)) return true;
    this.elapsedMs = Math.max(this.elapsedMs, task.atMs);
    this.owner = task.owner;
    task.run();
    await this.settle();
    this.owner = NOBODY;
    return true;
  }

  /** Waits until no promise has anything left to do. */
  settle(): Promise<void> {
    return new Promise((resolve) => realSetImmediate(resolve));
  }

  note(text: string): void {
    const line = `${this.elapsedMs.toFixed(3)} ${text}`;
    this.hash.update(line).update("\n");
    this.lastNotes.push(line.slice(0, 300));
    if (this.lastNotes.length > 40) this.lastNotes.shift();
  }
  traceHash(): string {
    return this.hash.copy().digest("hex");
  }
}

function inside(): World {
  if (current === null) throw new Error("No world is running");
  return current;
}

function timer(task: Task) {
  const self = {
    task,
    ref: () => self,
    unref: () => self,
    hasRef: () => true,
    refresh: () => self,
    [Symbol.toPrimitive]: () => task.order,
  };
  return self;
}
const forget = (given: unknown): void => {
  if (typeof given === "object" && given !== null && "task" in given) {
    inside().cancel(given.task as Task);
  }
};

function every(run: () => void, ms: number) {
  const world = inside();
  const self = timer(world.plan(ms, again));
  function again(): void {
    run();
    if (!self.task.isCanceled) self.task = world.plan(ms, again);
  }
  return self;
}

type Run = (...args: unknown[]) => void;

/** Fills with the world's randomness. */
function fill<T extends ArrayBufferView>(view: T): T {
  const world = inside();
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(world.chance() * 256);
  draws += 1;
  return view;
}
let draws = 0;
/** How often randomness was drawn from the platform; modules draw it in blocks. */
export const drawCount = (): number => draws;

/**
 * Replaces the platform by the world until the returned function is called. Call it before the server's
 * modules are loaded, because some keep references to the timers.
 */
export function install(): { enter: (world: World) => void; leave: () => void } {
  const real = {
    now: Date.now.bind(Date),
    performanceNow: performance.now.bind(performance),
    random: Math.random,
    randomBytes: crypto.randomBytes,
    randomFillSync: crypto.randomFillSync,
    randomUUID: crypto.randomUUID,
    getRandomValues: globalThis.crypto.getRandomValues.bind(globalThis.crypto),
  };
  const timers = {
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    setImmediate: globalThis.setImmediate,
    clearTimeout: globalThis.clearTimeout,
    clearInterval: globalThis.clearInterval,
    clearImmediate: globalThis.clearImmediate,
  };
  const now = (): number => (current === null ? real.now() : current.wallMs);
  const worldDate = new Proxy(Date, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  });
  const uuid = (): string => {
    const hex = Buffer.from(fill(new Uint8Array(16))).toString("hex");
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  type Any = (...args: never[]) => unknown;
  const orReal = (own: Any, other: Any) =>
    ((...args: never[]) => (current === null ? other(...args) : own(...args))) as never;
  const assign = (target: object, values: Record<string, unknown>) => Object.assign(target, values);

  Date.now = now;
  assign(globalThis, {
    Date: worldDate,
    setTimeout: orReal(
      (run: Run, ms = 0, ...args: unknown[]) => timer(inside().plan(ms, () => run(...args))),
      timers.setTimeout,
    ),
    setInterval: orReal((run: Run, ms = 1) => every(run, ms), timers.setInterval),
    setImmediate: orReal(
      (run: Run, ...args: unknown[]) => timer(inside().plan(0, () => run(...args))),
      timers.setImmediate,
    ),
    clearTimeout: orReal(forget, timers.clearTimeout),
    clearInterval: orReal(forget, timers.clearInterval),
    clearImmediate: orReal(forget, timers.clearImmediate),
  });
  performance.now = orReal(() => inside().nowMs, real.performanceNow);
  Math.random = orReal(() => inside().chance(), real.random);
  assign(crypto, {
    randomBytes: orReal((size: number) => fill(Buffer.alloc(size)), real.randomBytes),
    randomFillSync: orReal((bytes: Uint8Array) => fill(bytes), real.randomFillSync),
    randomUUID: orReal(uuid, real.randomUUID),
  });
  assign(globalThis.crypto, {
    getRandomValues: orReal((bytes: Uint8Array) => fill(bytes), real.getRandomValues),
    randomUUID: orReal(uuid, real.randomUUID),
  });
  syncBuiltinESMExports();

  return {
    enter: (world) => (current = world),
    leave: () => (current = null),
  };
}
