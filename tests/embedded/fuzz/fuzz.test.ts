/**
 * A running server against random frames: corrupted ones, and valid sessions. It must not crash, have
 * internal errors, or leak memory. TEST_SCALE=100 makes it 200,000 frames and 50,000 sessions; TEST_SEED
 * repeats a run.
 */
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import type { EmbeddedDatabase } from "../../../embedded/db/database";
import { Dice, SCALE, seedOfRun } from "../../support/chance";
import { chat } from "../fixtures/chatApi";
import { newHttpClient, startTestServer } from "../server/testServer";
import { temporaryDir } from "../../support/temporaryDir";
import { collectGarbage } from "../../support/heap";
import { spoiled, ValidSession } from "./frames";

const FRAMES = SCALE === 1 ? 500 : Math.round(2_000 * SCALE);
const SESSIONS = SCALE === 1 ? 150 : Math.round(500 * SCALE);
const PARALLEL = 16;
const TIMEOUT_MS = 60_000 + (FRAMES + SESSIONS * 4) * 30;
/** Memory that the code itself may add: compiled functions, small bounded caches. */
const HEAP_GROWTH_MAX_BYTES = 16 * 1024 * 1024;
/** Close codes of the protocol: normal, no status, broken text, policy, too big, try again later, and binary. */
const GOODBYES = [1000, 1003, 1005, 1006, 1007, 1008, 1009, 1011, 1013];
const SERVER_FRAMES = [
  "Transition",
  "MutationResponse",
  "ActionResponse",
  "AuthError",
  "FatalError",
  "Ping",
];

interface ServerFrame {
  readonly type: string;
  readonly requestId?: number;
  readonly startVersion?: object;
  readonly endVersion?: object;
}

/** A connection that records the server's frames. */
class Caller {
  readonly frames: ServerFrame[] = [];
  readonly closed: Promise<number>;
  private readonly socket: WebSocket;
  private listener = (): void => undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => undefined);
    socket.on("message", (data) => {
      this.frames.push(JSON.parse((data as Buffer).toString()) as ServerFrame);
      this.listener();
    });
    void this.closed.then(() => this.listener());
  }

  static async open(origin: string): Promise<Caller> {
    const socket = new WebSocket(`${origin.replace("http", "ws")}/api/1.48.0/sync`);
    const caller = new Caller(socket);
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return caller;
  }

  send(frame: unknown): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    const isReady = typeof frame === "string" || frame instanceof Uint8Array;
    this.socket.send(isReady ? frame : JSON.stringify(frame));
  }

  /** Closes the connection; the server has handled everything sent before when this resolves. */
  leave(): Promise<number> {
    this.socket.close();
    return this.closed;
  }
  cut(): void {
    this.socket.terminate();
  }

  /** Waits until all these calls are answered, or the connection has closed. */
  async answered(calls: ReadonlySet<string>): Promise<void> {
    const isDone = (): boolean => {
      const found = this.frames.filter(({ type }) => type.endsWith("Response"));
      const names = new Set(
        found.map((one) => `${one.type.replace("Response", "")} ${one.requestId}`),
      );
      return (
        this.socket.readyState >= WebSocket.CLOSING || [...calls].every((call) => names.has(call))
      );
    };
    await new Promise<void>((resolve) => {
      this.listener = () => {
        if (isDone()) resolve();
      };
      this.listener();
    });
  }
}

/** Plays the numbers from 0, each once, in several concurrent lanes. */
async function inLanes(count: number, play: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await play(next++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
}

/** The used heap once everything is applied and the cache is empty. */
async function usedHeap(db: EmbeddedDatabase): Promise<number> {
  await db.drain();
  db.emptyCache();
  for (let n = 0; n < 4; n++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

async function playSpoiled(origin: string, seed: number): Promise<void> {
  const dice = new Dice(seed);
  const session = new ValidSession(dice);
  const caller = await Caller.open(origin);
  if (dice.isHit(0.9)) caller.send(session.connect());
  for (let n = dice.below(3); n > 0; n--) caller.send(session.next().message);
  caller.send(spoiled(dice, session));
  for (let n = dice.below(2); n > 0; n--) caller.send(session.next().message);
  expect(GOODBYES).toContain(await caller.leave());
  for (const { type } of caller.frames) expect(SERVER_FRAMES).toContain(type);
}

async function playValid(origin: string, seed: number): Promise<void> {
  const dice = new Dice(seed);
  const session = new ValidSession(dice);
  const caller = await Caller.open(origin);
  caller.send(session.connect());
  const calls = new Set<string>();
  for (let n = dice.below(20, 1); n > 0; n--) {
    const { message, call } = session.next();
    caller.send(message);
    if (call !== null) calls.add(call);
    if (dice.isHit(0.2)) await caller.answered(calls);
  }
  if (dice.isHit(0.2)) return caller.cut();
  await caller.answered(calls);
  expect(await caller.leave()).toBe(1005);
  expect(caller.frames.filter(({ type }) => !SERVER_FRAMES.includes(type))).toEqual([]);
  expect(caller.frames.filter(({ type }) => /Error$/.test(type))).toEqual([]);
  const answers = caller.frames.filter(({ type }) => type.endsWith("Response"));
  expect(answers).toHaveLength(calls.size);
  const transitions = caller.frames.filter(({ type }) => type === "Transition");
  transitions.forEach(({ startVersion }, at) => {
    if (at > 0) expect(startVersion).toEqual(transitions[at - 1]?.endVersion);
  });
}

test(
  "spoiled frames and sessions by chance neither break the server nor leave anything behind",
  async () => {
    const seed = seedOfRun();
    process.stdout.write(`fuzz: TEST_SEED=${seed}, ${FRAMES} frames, ${SESSIONS} sessions\n`);
    const strays: unknown[] = [];
    const stray = (error: unknown): void => void strays.push(error);
    process.on("unhandledRejection", stray);
    onTestFinished(() => void process.off("unhandledRejection", stray));
    const server = await startTestServer({ dataDir: temporaryDir() });
    const warm = { frames: Math.min(FRAMES / 2, 1_000), sessions: Math.min(SESSIONS / 2, 300) };

    let played = seed;
    const play = async (frames: number, sessions: number): Promise<void> => {
      const from = played;
      played += frames + sessions;
      await inLanes(frames, (number) => playSpoiled(server.origin, from + number));
      await inLanes(sessions, (number) => playValid(server.origin, from + frames + number));
    };
    await play(warm.frames, warm.sessions);
    const db = server.backend.db as EmbeddedDatabase;
    const before = await usedHeap(db);
    await play(FRAMES - warm.frames, SESSIONS - warm.sessions);
    const after = await usedHeap(db);

    expect(after - before).toBeLessThan(HEAP_GROWTH_MAX_BYTES);
    expect(strays).toEqual([]);
    expect(server.logLines.filter((line) => /Connection failed|Unhandled/.test(line))).toEqual([]);
    expect(await newHttpClient(server).query(chat.list, { channel: "none" })).toEqual([]);
    process.stdout.write(
      `fuzz: heap ${Math.round((after - before) / 1024)} KiB more than before\n`,
    );
  },
  TIMEOUT_MS,
);
