/**
 * The bank's users in a simulation: members and an administrator, each with the unmodified official client,
 * and their random operations.
 */
import { BaseConvexClient } from "convex/browser";
import { ConvexError, type Value } from "convex/values";
import { openPair } from "../../../convex/model/accounts";
import { openingBalance } from "../../../convex/model/ledger";
import { createWithPassword } from "../../../convex/model/users";
import type { MutationCtx } from "../../../convex/_generated/server";
import { addDays, dateOf } from "../../../convex/shared/dates";
import { PAIR } from "./functions";
import type { Invariants } from "./invariants";
import type { Network } from "./network";
import type { Server } from "./server";
import type { World } from "./world";

const MEMBERS = ["ada", "ben", "cleo", "dora", "emil"] as const;
const ADMIN = "root";
const OPENING_CENTS = 50_000n;
/** Longer than every jump of the clock. */
const SESSION_MS = 400 * 86_400_000;
const THINK_MS = 25;
const WAIT_MAX_MS = 6;

export interface Person {
  readonly name: string;
  readonly userId: string;
  readonly token: string;
}

const emailOf = (name: string): string => `${name}@bank.example`;

/** Sets up the bank: members with money and sessions, one of them without limits, and an administrator. */
export async function openBank(server: Server): Promise<Person[]> {
  const people: Person[] = [];
  for (const name of [...MEMBERS, ADMIN]) {
    const isAdmin = name === ADMIN;
    const ids = await server.inside("mutation", async (ctx: MutationCtx) => {
      const standing = isAdmin
        ? ({ role: "admin", status: "active" } as const)
        : ({ role: "user", status: "approved" } as const);
      const fields = { email: emailOf(name), ...standing };
      const user = await createWithPassword(ctx, fields, "no-password");
      if (name === MEMBERS[0]) await ctx.db.patch("users", user._id, { isProtected: true });
      const nowMs = Date.now();
      for (const account of await openPair(ctx, user._id, nowMs)) {
        const cents = isAdmin ? 0n : OPENING_CENTS;
        await openingBalance(ctx, account, { balanceCents: cents, availableCents: cents }, nowMs);
      }
      const session = await ctx.db.insert("authSessions", {
        userId: user._id,
        expirationTime: nowMs + SESSION_MS,
      });
      const factor = { authSession: session, userId: user._id, handle: name, passedAt: nowMs };
      await ctx.db.insert("sessionFactors", factor);
      const activity = { authSession: session, isAdmin, lastActiveAt: nowMs + SESSION_MS };
      await ctx.db.insert("sessionActivity", activity);
      return { userId: user._id, session };
    });
    people.push({ name, userId: ids.userId, token: `${ids.userId}|${ids.session}` });
  }
  return people;
}

/** One person with a client. Each operation waits for its answer; several run at the same time. */
export class Actor {
  readonly person: Person;
  private readonly world: World;
  private readonly invariants: Invariants;
  private readonly client: BaseConvexClient;
  private readonly people: readonly Person[];
  /** Callbacks for the next change of the client's results. */
  private waiting: (() => void)[] = [];

  constructor(
    world: World,
    network: Network,
    invariants: Invariants,
    person: Person,
    people: readonly Person[],
  ) {
    this.world = world;
    this.invariants = invariants;
    this.person = person;
    this.people = people;
    const changed = () => {
      const waiting = this.waiting;
      this.waiting = [];
      for (const each of waiting) each();
    };
    this.client = new BaseConvexClient("https://simulation.test", changed, {
      webSocketConstructor: network.socketsOf(person.name),
      unsavedChangesWarning: false,
      logger: false,
    });
    this.client.setAuth(
      () => Promise.resolve(person.token),
      () => undefined,
    );
    this.client.subscribe("sim:numbers", {});
    if (person.name !== ADMIN) this.client.subscribe("accounts:listMine", {});
  }

  /** Runs operations until `next` has no more. */
  async work(next: () => number | null): Promise<void> {
    for (let number = next(); number !== null; number = next()) {
      await this.world.delay(this.world.chance() * THINK_MS);
      const under = this.operate(`${this.person.name}-${number}`);
      if (this.world.isHit(0.3)) continue;
      await under;
    }
    await Promise.all(this.pending);
  }
  private readonly pending = new Set<Promise<void>>();

  close(): Promise<void> {
    return this.client.close();
  }

  private operate(key: string): Promise<void> {
    const done = this.attempt(key).finally(() => this.pending.delete(done));
    this.pending.add(done);
    return done;
  }

  private async attempt(key: string): Promise<void> {
    const [path, args] =
      this.person.name === ADMIN ? await this.adminCall(key) : this.memberCall(key);
    let outcome: string;
    try {
      const answer: unknown = await this.client.mutation(path, args);
      outcome = "ok";
      if (path === "sim:bump") this.invariants.acknowledge(key, answer as bigint);
    } catch (error) {
      outcome = refusalOf(error);
    }
    this.world.note(`${key} ${path} ${outcome}`);
  }

  private memberCall(key: string): [string, Record<string, Value>] {
    const { world } = this;
    const fromAccount = world.isHit(0.5) ? "Checking" : "Savings";
    const toAccount = fromAccount === "Checking" ? "Savings" : "Checking";
    const amountCents = BigInt(world.pick(-5, 20_000));
    const common = { fromAccount, amountCents, reference: key, requestKey: key };
    const waitMs = world.isHit(0.4) ? world.pick(1, WAIT_MAX_MS) : 0;
    switch (world.pick(0, 8)) {
      case 0:
      case 1:
        return ["transfers:submit", { ...common, transferType: "internal", toAccount }];
      case 2:
      case 3: {
        const recipientEmail = emailOf(MEMBERS[world.pick(0, MEMBERS.length)] ?? "ada");
        return ["transfers:submit", { ...common, transferType: "user", recipientEmail }];
      }
      case 4: {
        const scheduleDate = addDays(dateOf(Date.now()), world.pick(0, 3));
        const bill = { provider: "water", accountNumber: "1", scheduleDate, requestKey: key };
        return ["billPayments:schedule", { fromAccount, amountCents, ...bill }];
      }
      case 5: {
        const side = PAIR[world.pick(0, PAIR.length)] ?? "left";
        const amount = BigInt(world.pick(-40, 40));
        return ["sim:withdraw", { key, side, amount, waitMs }];
      }
      default:
        return ["sim:bump", { key, waitMs }];
    }
  }

  private async adminCall(key: string): Promise<[string, Record<string, Value>]> {
    const { world } = this;
    const member = this.people[world.pick(0, MEMBERS.length)];
    if (member === undefined) throw new Error("nobody");
    const { userId } = member;
    switch (world.pick(0, 4)) {
      case 0: {
        const row = {
          accountType: world.isHit(0.5) ? "Checking" : "Savings",
          type: world.isHit(0.5) ? "credit" : "debit",
          amountCents: BigInt(world.pick(1, 30_000)),
          description: key,
          category: "Other",
          date: Date.now() - world.pick(0, 40) * 86_400_000,
          status: world.isHit(0.3) ? "Pending" : "Completed",
        };
        const batch = { userId, rows: [row], updateBalance: true, requestKey: key };
        return ["admin/transactions:addMany", batch];
      }
      case 1: {
        const paginationOpts = { numItems: 5, cursor: null };
        const page = (await this.query("admin/transactions:listForUser", {
          userId,
          paginationOpts,
        })) as { page: { _id: string }[] } | null;
        const rows = page?.page ?? [];
        const transactionId = rows[world.pick(0, Math.max(rows.length, 1))]?._id ?? "none";
        return ["admin/transactions:remove", { transactionId }];
      }
      case 2:
        return ["admin/transferCounts:resetAll", {}];
      default:
        return ["admin/transferCounts:resetOne", { userId }];
    }
  }

  /** The first result of a query, through the live connection. */
  private query(path: string, args: Record<string, Value>): Promise<unknown> {
    const { unsubscribe } = this.client.subscribe(path, args);
    const look = async (): Promise<unknown> => {
      for (;;) {
        try {
          const found: unknown = this.client.localQueryResult(path, args);
          if (found !== undefined) return found;
        } catch (error) {
          // Any refusal of the catalogue means that there is nothing to choose from.
          refusalOf(error);
          return null;
        }
        await new Promise<void>((resolve) => this.waiting.push(resolve));
      }
    };
    return look().finally(unsubscribe);
  }
}

/** The code of a refusal. Anything else is an unexpected error of the server. */
function refusalOf(error: unknown): string {
  if (!(error instanceof ConvexError)) throw error;
  const { code } = error.data as { code?: unknown };
  if (typeof code !== "string") throw error;
  return code;
}
