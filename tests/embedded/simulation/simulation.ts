/**
 * A seeded simulation: the server on its disk, people with their clients, and random faults: power cuts
 * inside the log, kills at any moment, broken connections, clock jumps. The invariants are checked after each
 * commit; a seed always gives the same trace.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { newId } from "../../../embedded/db/ids";
import { takeRandom } from "../../../embedded/runtime/execution";
import type { FunctionModules } from "../../../embedded/runtime/modules";
import { Disk, type CutPoint } from "./disk";
import { Invariants } from "./invariants";
import { Network } from "./network";
import { Actor, openBank, type Person } from "./people";
import { Server, type Machine } from "./server";
import { drawCount, World } from "./world";

const CUT_POINTS: readonly CutPoint[] = ["write", "before sync", "after sync"];
const DOWN_MS = { low: 5, high: 900 };
/** Average number of operations between two faults, and how soon after the operation they happen. */
const CALM_OPERATIONS = 20;
const TROUBLE_MS = 40;
const CLOCK_JUMP_MS = 20 * 60_000;
const DAY_MS = 86_400_000;
const STEPS_PER_OPERATION_MAX = 4_000;

export interface Report {
  readonly traceHash: string;
  readonly crashes: number;
  readonly cutConnections: number;
  readonly clockJumps: number;
  readonly replayedCommits: number;
  readonly checkedCommits: number;
  readonly checkedFrames: number;
}

/** Randomness buffered by an earlier simulation must not be used by this one. */
function emptyRandomPools(): void {
  const drawUntilRefilled = (draw: () => void): number => {
    const before = drawCount();
    let count = 0;
    while (drawCount() === before) {
      draw();
      count += 1;
    }
    return count;
  };
  for (const draw of [() => void newId(1), () => void takeRandom(8)]) {
    drawUntilRefilled(draw);
    // One full block later the next draw starts a new block: stop one before it.
    const portion = drawUntilRefilled(draw);
    for (let n = 1; n < portion; n++) draw();
  }
}

class Director {
  private readonly world: World;
  private readonly disk: Disk;
  private readonly machine: Machine;
  private readonly network: Network;
  private readonly invariants = new Invariants();
  private server: Server | null = null;
  private incarnation = 0;
  private isCutNow = false;
  private failure: Error | null = null;
  private people: Person[] = [];
  private hasNews = false;
  private readonly counts = { crashes: 0, cutConnections: 0, clockJumps: 0, replayedCommits: 0 };

  constructor(seed: number, functions: FunctionModules, isDiskHonest: boolean) {
    this.world = new World(seed);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "simulation-"));
    this.disk = new Disk(this.world, folder, () => this.powerCut(), isDiskHonest);
    // Both function contexts.
    const context = seed % 2 === 0 ? "native" : "sdk";
    this.machine = { world: this.world, disk: this.disk, folder, functions, context };
    this.network = new Network(this.world);
    this.network.onClientFrame = (connection, text) => {
      this.invariants.clientSent(connection, text);
    };
    this.network.onServerFrame = (connection, text) => {
      const person = this.people.find(({ name }) => name === connection.client);
      this.guard(() => this.invariants.serverSent(connection, text, person?.userId ?? ""));
    };
  }

  /** @throws the violated invariant's error, with the end of the trace */
  async play(enter: (world: World) => void, operations: number): Promise<Report> {
    enter(this.world);
    try {
      emptyRandomPools();
      await this.perform(operations);
    } catch (error) {
      const trace = this.world.lastNotes.join("\n");
      throw new Error(`${(error as Error).stack ?? String(error)}\n${trace}`, { cause: error });
    } finally {
      this.disk.giveBack();
      fs.rmSync(this.machine.folder, { recursive: true, force: true });
    }
    const { checkedCommits, checkedFrames } = this.invariants;
    const traceHash = this.world.traceHash();
    return { traceHash, ...this.counts, checkedCommits, checkedFrames };
  }

  private async perform(operations: number): Promise<void> {
    this.boot();
    await this.until(() => this.server !== null, 10_000);
    const first = this.live();
    let isReady = false;
    const opening = async () => {
      await first.backend.runtime.runInternal("sim:start", {});
      this.people = await openBank(first);
      isReady = true;
    };
    const open = () => void opening().catch((error: unknown) => this.fail(error));
    this.world.plan(0, open, first.owner);
    await this.until(() => isReady, 100_000);
    await this.invariants.checkAll(first);

    const limit = operations * STEPS_PER_OPERATION_MAX;
    const actors = await this.playActors(operations, limit);
    await this.until(() => this.server !== null, limit);
    await this.invariants.checkEnd(this.live());
    for (const actor of actors) void this.world.as(actor.person.name, () => actor.close());
  }

  private async playActors(operations: number, stepsMax: number): Promise<Actor[]> {
    let started = 0;
    let working = this.people.length;
    const next = () => {
      this.maybeTrouble();
      return started < operations ? started++ : null;
    };
    const actors = this.people.map((person) =>
      this.world.as(person.name, () => {
        const actor = new Actor(this.world, this.network, this.invariants, person, this.people);
        actor.work(next).then(
          () => (working -= 1),
          (error: unknown) => this.fail(error),
        );
        return actor;
      }),
    );
    await this.until(() => working === 0, stepsMax);
    return actors;
  }

  /** Steps until `isSo`. @throws when there is nothing left to do, or after too many steps */
  private async until(isSo: () => boolean, stepsMax: number): Promise<void> {
    for (let steps = 0; !isSo(); steps++) {
      if (steps > stepsMax) throw new Error("the simulation does not come to an end");
      const goesOn = await this.world.step();
      if (this.failure !== null) throw this.failure;
      if (this.isCutNow) this.crash("power cut");
      if (this.hasNews && this.server !== null) await this.checkCommits(this.server);
      if (!goesOn && !isSo()) throw new Error("the simulation stands still");
    }
  }

  private async checkCommits(server: Server): Promise<void> {
    this.hasNews = false;
    await this.invariants.checkNew(server);
  }

  // ---- the server's life ----

  private boot(): void {
    this.incarnation += 1;
    const owner = `server ${this.incarnation}`;
    this.world.note(`${owner} starts`);
    const start = () => {
      this.bootNow(owner).catch((error: unknown) => this.bootFailed(error));
    };
    this.world.plan(0, start, owner);
  }

  private async bootNow(owner: string): Promise<void> {
    const { world } = this;
    const server = await Server.boot(this.machine, owner, this.invariants);
    if (world.isDead(owner)) return;
    const { replayed, db } = server;
    this.counts.replayedCommits += replayed;
    world.note(`${owner} serves, ${replayed} commits replayed, ${db.latestTs}`);
    this.guard(() => this.invariants.restarted(server));
    this.hasNews = true;
    server.onNews = (commits) => {
      world.note(`durable ${commits.map(({ ts }) => ts).join()}`);
      this.hasNews = true;
      this.guard(() => this.invariants.follow(server));
    };
    this.server = server;
    this.network.server = server;
  }

  private bootFailed(error: unknown): void {
    // A power cut during a start is one more crash.
    if (!this.isCutNow) this.fail(error);
  }

  private live(): Server {
    if (this.server === null) throw new Error("the server is down");
    return this.server;
  }

  private powerCut(): void {
    this.isCutNow = true;
    this.world.kill(`server ${this.incarnation}`);
  }

  private crash(why: string): void {
    this.isCutNow = false;
    this.hasNews = false;
    this.disk.cutAt = null;
    this.counts.crashes += 1;
    this.world.kill(`server ${this.incarnation}`);
    this.server = null;
    this.network.serverGone();
    const lost = this.disk.losePower();
    this.world.note(`crash: ${why}, ${lost} sectors lost`);
    const downMs = this.world.pick(DOWN_MS.low, DOWN_MS.high);
    // Only the newest planned start counts: the machine can lose power again before it runs.
    const crash = this.counts.crashes;
    const bootUnlessCrashed = () => {
      if (crash === this.counts.crashes) this.boot();
    };
    this.world.plan(downMs, bootUnlessCrashed, "world");
  }

  // ---- trouble ----

  private maybeTrouble(): void {
    if (!this.world.isHit(1 / CALM_OPERATIONS)) return;
    const soonMs = this.world.chance() * TROUBLE_MS;
    this.world.plan(soonMs, () => this.trouble(), "world");
  }

  private trouble(): void {
    switch (this.world.pick(0, 8)) {
      case 0:
        return this.crash("killed");
      case 1:
      case 2: {
        this.disk.cutAt = CUT_POINTS[this.world.pick(0, CUT_POINTS.length)] ?? "write";
        return;
      }
      case 3:
        this.counts.clockJumps += 1;
        return this.world.jumpClock(this.world.pick(-CLOCK_JUMP_MS, CLOCK_JUMP_MS));
      case 4:
        this.counts.clockJumps += 1;
        this.world.jumpClock(DAY_MS);
        return this.runJob("billPayments:settleDue");
      default:
        return this.cutConnection();
    }
  }

  private cutConnection(): void {
    const open = [...this.network.connections];
    if (open.length === 0) return;
    this.counts.cutConnections += 1;
    open[this.world.pick(0, open.length)]?.break("cut");
  }

  private runJob(name: string): void {
    const { server } = this;
    if (server === null) return;
    const run = () => {
      server.backend.runtime.runInternal(name, {}).catch((error: unknown) => this.fail(error));
    };
    this.world.plan(0, run, server.owner);
  }

  private guard(body: () => void): void {
    try {
      body();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
  }
}

/** Runs one seed. The world must have been installed before the server's modules were loaded. */
export function simulate(
  enter: (world: World) => void,
  functions: FunctionModules,
  seed: number,
  operations: number,
  isDiskHonest = true,
): Promise<Report> {
  return new Director(seed, functions, isDiskHonest).play(enter, operations);
}
