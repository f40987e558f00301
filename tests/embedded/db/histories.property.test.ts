/**
 * Serializability: concurrent transactions read ranges and write depending on what they read. Whatever
 * commits must equal the same transactions run one after another, in commit order.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ConflictError } from "../../../embedded/db/errors";
import type { Transaction } from "../../../embedded/db/types";
import { longer } from "../../support/chance";
import { collect, memoryDatabase, mutate, range, read, schema, table } from "./support";

const RANKS = 8;
const ROWS = schema(table("rows", { by_rank: ["rank"] }));

/** Reads the rows between two ranks, then adds, changes or removes one row. */
const step = fc.record({
  lane: fc.nat(3),
  low: fc.nat(RANKS - 1),
  length: fc.integer({ min: 1, max: 4 }),
  target: fc.nat(RANKS - 1),
  what: fc.constantFrom("add" as const, "change" as const, "remove" as const),
});
type Plan = { low: number; length: number; target: number; what: "add" | "change" | "remove" };
type Row = { rank: number; sum: number };

type Running = {
  tx: Transaction;
  plan: Plan;
  saw: number;
  hasWritten: boolean;
  /** The rows when it began. */
  atBegin: Row[];
};

const found = (tx: Transaction, low: number, length: number): (Row & { _id: string })[] =>
  collect(
    tx,
    range("rows.by_rank", [
      ["Gte", "rank", low],
      ["Lt", "rank", low + length],
    ]),
  ) as (Row & { _id: string })[];

/** The choice among several rows must not depend on their age, because the younger one may commit first. */
const largest = <R extends Row>(rows: readonly R[]): R | undefined =>
  rows.reduce<R | undefined>((best, row) => (row.sum > (best?.sum ?? -1) ? row : best), undefined);

/** Runs the plan on the database. Returns the sum it saw, which is also what it writes. */
function act(tx: Transaction, { low, length, target, what }: Plan) {
  const seen = found(tx, low, length);
  const sum = seen.reduce((total, row) => total + row.sum, 1 + seen.length);
  const victim = largest(found(tx, target, 1));
  if (what === "add") tx.insertValue("rows", { rank: target, sum });
  else if (victim !== undefined && what === "change") tx.patchValue(victim._id, { sum });
  else if (victim !== undefined) tx.remove(victim._id);
  const isSame = what === "change" && victim?.sum === sum;
  return { saw: sum, hasWritten: what === "add" || (victim !== undefined && !isSame) };
}

/** Runs the plan on a list. */
function actOnList(rows: Row[], { low, length, target, what }: Plan): number {
  const seen = rows.filter(({ rank }) => rank >= low && rank < low + length);
  const sum = seen.reduce((total, row) => total + row.sum, 1 + seen.length);
  const picked = largest(rows.filter(({ rank }) => rank === target));
  const victim = picked === undefined ? -1 : rows.indexOf(picked);
  if (what === "add") rows.push({ rank: target, sum });
  else if (victim >= 0 && what === "change") rows[victim] = { rank: target, sum };
  else if (victim >= 0) rows.splice(victim, 1);
  return sum;
}

const byRank = (rows: readonly Row[]): Row[] =>
  [...rows]
    .sort((one, other) => one.rank - other.rank || one.sum - other.sum)
    .map(({ rank, sum }) => ({ rank, sum }));

test("transactions that read ranges end as one after another: no phantom, no write skew, no lost update", async () => {
  let [committedCount, refusedCount] = [0, 0];
  const history = fc.asyncProperty(
    fc.array(step, { minLength: 6, maxLength: 60 }),
    async (steps) => {
      const db = await memoryDatabase(ROWS);
      await mutate(db, (tx) => {
        for (let rank = 0; rank < RANKS; rank += 2) tx.insertValue("rows", { rank, sum: rank });
      });
      const list: Row[] = [0, 2, 4, 6].map((rank) => ({ rank, sum: rank }));
      const open = new Map<number, Running>();
      for (const { lane, ...plan } of steps) {
        const running = open.get(lane);
        if (running === undefined) {
          const tx = db.beginMutation(Date.now());
          open.set(lane, { tx, plan, ...act(tx, plan), atBegin: [...list] });
          continue;
        }
        open.delete(lane);
        try {
          await db.commit(running.tx).durable;
          committedCount += 1;
          // A transaction without writes may count as having run when it began.
          const moment = running.hasWritten ? list : running.atBegin;
          expect(actOnList(moment, running.plan)).toBe(running.saw);
        } catch (error) {
          if (!(error instanceof ConflictError)) throw error;
          refusedCount += 1;
          running.tx.close();
        }
      }
      for (const { tx } of open.values()) tx.close();
      const stored = read(db, (tx) => found(tx, 0, RANKS));
      expect(byRank(stored)).toEqual(byRank(list));
      await db.close();
    },
  );
  await fc.assert(history, longer(150));
  // Both outcomes must occur, or nothing was tested.
  expect(Math.min(committedCount, refusedCount)).toBeGreaterThan(20);
});
