/**
 * Steps of random histories, done side by side on the product and on a back-of-the-napkin bank: same refusals, same
 * balances, same counts, and a sound ledger after every step. Works with any backend.
 */
import fc from "fast-check";
import { expect } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import type { AccountType } from "../../convex/shared/validators";
import {
  balancesOf,
  countOf,
  expectSoundLedger,
  freshKey,
  internal,
  international,
  submit,
  toUser,
} from "../convex/moneySupport";
import { admin, person, refusalOf, snapshot, type Backend, type Person } from "../convex/support";
import { SimpleBank, type Pocket } from "./simpleBank";

const NAMES = ["ada", "ben", "cleo"] as const;
type Name = (typeof NAMES)[number];
const OPENING_CENTS = 5_000n;

const name = fc.constantFrom(...NAMES);
/** Where people have money from the beginning, and where they do not. */
const pocket = fc.constantFrom<Pocket>("Checking", "Checking", "Savings");
/** What can often be paid, and amounts around and beyond what people have. */
const cents = fc.oneof(
  { arbitrary: fc.bigInt({ min: 1n, max: 1_500n }), weight: 3 },
  { arbitrary: fc.bigInt({ min: -5n, max: 6_000n }), weight: 1 },
);
const signedCents = fc.oneof(
  cents,
  cents.map((amount) => -amount),
);
const to = fc.constantFrom<Pocket>("Savings", "Savings", "Checking");
/** One operation: weighted so that transfers meet the limit of two, and deletions what money has moved on. */
const STEP = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant("internal" as const),
      who: name,
      from: pocket,
      to,
      cents,
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("user" as const),
      who: name,
      from: pocket,
      other: name,
      cents,
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({ do: fc.constant("abroad" as const), who: name, from: pocket, cents }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("enter" as const),
      who: name,
      from: pocket,
      cents: signedCents,
      isPending: fc.boolean(),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({ do: fc.constant("edit" as const), who: name, from: pocket, cents }),
    weight: 1,
  },
  { arbitrary: fc.record({ do: fc.constant("remove" as const), pick: fc.nat(30) }), weight: 4 },
  { arbitrary: fc.record({ do: fc.constant("reset" as const), who: name }), weight: 1 },
);
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** The product and the napkin, side by side. */
export class Pair {
  readonly bank = new SimpleBank();
  /** Maps a napkin row to the product's row. */
  readonly rowIds = new Map<number, Id<"transactions">>();
  readonly removedIds: [number, Id<"transactions">][] = [];
  readonly t: Backend;
  readonly root: Person;
  readonly people: Record<Name, Person>;

  private constructor(t: Backend, root: Person, people: Record<Name, Person>) {
    this.t = t;
    this.root = root;
    this.people = people;
  }

  static async open(t: Backend): Promise<Pair> {
    const root = await admin(t);
    const open = (one: Name) => person(t, `${one}@bank.example`, { checkingCents: OPENING_CENTS });
    const people = { ada: await open("ada"), ben: await open("ben"), cleo: await open("cleo") };
    const pair = new Pair(t, root, people);
    for (const one of NAMES) pair.bank.open(one, OPENING_CENTS);
    return pair;
  }

  /** Does one step on both sides; a refusal must be the same and must change nothing. */
  async step(step: Step): Promise<void> {
    const before = await snapshot(this.t);
    const rowCount = this.bank.rows.size;
    const expected = this.#onNapkin(step);
    const call = this.#onProduct(step);
    if (expected === null) {
      await call;
      if (this.bank.rows.size > rowCount) await this.#linkNewest();
    } else {
      expect(await refusalOf(call)).toBe(expected);
      expect(await snapshot(this.t)).toBe(before);
    }
    for (const one of NAMES) {
      const balances = ["Checking", "Savings"].map((key) =>
        this.bank.balances.get(`${one} ${key}`),
      );
      expect(await balancesOf(this.t, this.people[one])).toEqual(balances);
      expect(await countOf(this.t, this.people[one])).toBe(this.bank.counts.get(one));
    }
    await expectSoundLedger(this.t);
  }

  #pickRow(pick: number): number {
    const ids = [...this.bank.rows.keys(), ...this.removedIds.map(([id]) => id)];
    return ids[pick % Math.max(1, ids.length)] ?? -1;
  }

  #onNapkin(step: Step): string | null {
    switch (step.do) {
      case "internal":
        return this.bank.transfer(step.who, step.from, `${step.who} ${step.to}`, step.cents);
      case "user": {
        const { who, from, other, cents: amount } = step;
        if (who !== other) return this.bank.transfer(who, from, `${other} Checking`, amount);
        // A transfer to oneself is refused after everything else: ask the napkin without letting it happen.
        const trial = new SimpleBank();
        trial.balances.set(`${who} ${from}`, this.bank.balances.get(`${who} ${from}`) ?? 0n);
        trial.counts.set(who, this.bank.counts.get(who) ?? 0);
        return trial.transfer(who, from, null, amount) ?? "OWN_ACCOUNT";
      }
      case "abroad":
        return this.bank.transfer(step.who, step.from, null, step.cents);
      case "enter":
        if (step.cents === 0n) return "INVALID_AMOUNT";
        return this.bank.enter(`${step.who} ${step.from}`, step.cents, step.isPending);
      case "edit":
        if (step.cents < 0n) return "INVALID_AMOUNT";
        this.bank.setBalance(`${step.who} ${step.from}`, step.cents);
        return null;
      case "remove": {
        const id = this.#pickRow(step.pick);
        const rowId = this.rowIds.get(id);
        const refusal = this.bank.remove(id);
        if (refusal === null && rowId !== undefined) this.removedIds.push([id, rowId]);
        return refusal;
      }
      case "reset":
        this.bank.reset(step.who);
        return null;
    }
  }

  async #onProduct(step: Step): Promise<unknown> {
    const { root } = this;
    switch (step.do) {
      case "internal": {
        const { from: fromAccount, to: toAccount, cents: amountCents } = step;
        return submit(this.people[step.who], internal({ fromAccount, toAccount, amountCents }));
      }
      case "user": {
        const { from: fromAccount, cents: amountCents } = step;
        const args = toUser(this.people[step.other].email, { fromAccount, amountCents });
        return submit(this.people[step.who], args);
      }
      case "abroad": {
        const { from: fromAccount, cents: amountCents } = step;
        return submit(this.people[step.who], international({ fromAccount, amountCents }));
      }
      case "enter":
        return root.as.mutation(api.admin.transactions.addMany, {
          userId: this.people[step.who].userId,
          updateBalance: true,
          requestKey: freshKey(),
          rows: [
            {
              accountType: step.from,
              type: step.cents < 0n ? "debit" : "credit",
              amountCents: step.cents < 0n ? -step.cents : step.cents,
              description: "entered",
              category: "Other",
              date: Date.now(),
              status: step.isPending ? "Pending" : "Completed",
            },
          ],
        });
      case "edit":
        return this.#edit(this.people[step.who], step.from, step.cents);
      case "remove": {
        const id = this.#lastPicked(step.pick);
        return root.as.mutation(api.admin.transactions.remove, { transactionId: id });
      }
      case "reset": {
        const { userId } = this.people[step.who];
        return root.as.mutation(api.admin.transferCounts.resetOne, { userId });
      }
    }
  }

  /** The product's row for the napkin row that `#onNapkin` picked a moment ago. */
  #lastPicked(pick: number): string {
    const justRemoved = this.removedIds.at(-1);
    if (justRemoved !== undefined && !this.#spent.has(justRemoved[0])) {
      this.#spent.add(justRemoved[0]);
      return justRemoved[1];
    }
    const id = this.#pickRow(pick);
    return this.rowIds.get(id) ?? "nonsense";
  }
  readonly #spent = new Set<number>();

  async #edit(who: Person, type: AccountType, balanceCents: bigint): Promise<unknown> {
    const accounts = await who.as.query(api.accounts.listMine, {});
    const account = accounts.find((one) => one.type === type);
    if (account === undefined) throw new Error("No account");
    const { _id: accountId, accountNumber, routingNumber } = account;
    const numbers = { accountId, accountNumber, routingNumber };
    const availableCents = balanceCents;
    return this.root.as.mutation(api.admin.accounts.update, {
      ...numbers,
      balanceCents,
      availableCents,
    });
  }

  /** Links the napkin's newest row to the product's newest row of its first owner. */
  async #linkNewest(): Promise<void> {
    const newest = [...this.bank.rows.values()].at(-1);
    const owner = newest?.owners[0] ?? "";
    const [who = "ada", type] = owner.split(" ");
    const rows = await this.t.run((ctx) => ctx.db.query("transactions").order("desc").take(2));
    const { userId } = this.people[who as Name];
    const own = rows.find((row) => row.userId === userId && row.accountType === type);
    if (newest !== undefined && own !== undefined) this.rowIds.set(newest.id, own._id);
  }
}

/** A history on a fresh backend, checked after every step. */
export async function liveThrough(t: Backend, steps: readonly Step[]): Promise<Pair> {
  const pair = await Pair.open(t);
  for (const step of steps) await pair.step(step);
  return pair;
}

/**
 * A history of transfers only: inside the credit union they preserve the sum of all balances, out of it they lower the
 * sum by exactly their amount.
 */
export async function conserveMoney(t: Backend, steps: readonly Step[]): Promise<void> {
  const pair = await Pair.open(t);
  let sentAbroad = 0n;
  for (const step of steps) {
    const before = pair.bank.total();
    await pair.step(step);
    if (step.do === "abroad") sentAbroad += before - pair.bank.total();
  }
  const balances = await Promise.all(NAMES.map((one) => balancesOf(t, pair.people[one])));
  const sum = balances.flat().reduce((total, one) => total + one, 0n);
  expect(sum + sentAbroad).toBe(OPENING_CENTS * BigInt(NAMES.length));
}

/** Histories of anything, and histories of transfers only. */
export const HISTORY = fc.array(STEP, { minLength: 5, maxLength: 25, size: "max" });
export const TRANSFERS = fc.array(
  STEP.filter((step) => ["internal", "user", "abroad", "reset"].includes(step.do)),
  { minLength: 5, maxLength: 20, size: "max" },
);
