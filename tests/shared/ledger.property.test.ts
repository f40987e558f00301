import fc from "fast-check";
import { expect, test } from "vitest";
import { longer } from "../support/chance";
import {
  addToTotals,
  isBalanced,
  reversed,
  signedCents,
  totalOfType,
  typeOf,
  type CategoryTotal,
} from "../../convex/shared/ledger";
import { magnitude, sumCents } from "../../convex/shared/money";
import { CATEGORIES, TRANSACTION_TYPES } from "../../convex/shared/validators";

const amounts = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }).filter((cents) => cents !== 0n);
const legs = fc
  .array(amounts, { minLength: 1, maxLength: 8 })
  .map((cents) => [...cents, -sumCents(cents)].map((amountCents) => ({ amountCents })))
  .filter((list) => list.every((leg) => leg.amountCents !== 0n));

test("a journal balances when its legs sum to zero, and not after one leg is changed", () => {
  fc.assert(
    fc.property(legs, amounts, (list, extra) => {
      expect(isBalanced(list)).toBe(true);
      const [first, ...rest] = list;
      const touched = [{ amountCents: (first?.amountCents ?? 0n) + extra }, ...rest];
      expect(isBalanced(touched)).toBe(false);
    }),
    longer(100),
  );
});

test("a single leg, no leg and a zero leg never balance", () => {
  expect(isBalanced([])).toBe(false);
  expect(isBalanced([{ amountCents: 0n }])).toBe(false);
  expect(isBalanced([{ amountCents: 0n }, { amountCents: 0n }])).toBe(false);
});

test("posting and reversing cancel out; reversing twice equals posting", () => {
  fc.assert(
    fc.property(legs, (list) => {
      const back = reversed(list);
      expect(isBalanced(back)).toBe(true);
      list.forEach((leg, index) => {
        expect(leg.amountCents + (back[index]?.amountCents ?? 0n)).toBe(0n);
      });
      expect(reversed(back)).toEqual(list);
    }),
    longer(100),
  );
});

test("a posting can be derived from the row's type and amount", () => {
  fc.assert(
    fc.property(amounts, (cents) => {
      expect(signedCents(typeOf(cents), magnitude(cents))).toBe(cents);
    }),
    longer(100),
  );
});

test("totals do not depend on the order of rows, and removing all rows gives zero", () => {
  const entry = fc.record({
    type: fc.constantFrom(...TRANSACTION_TYPES),
    category: fc.constantFrom(...CATEGORIES),
    totalCents: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    count: fc.constant(1),
  });
  const add = (totals: CategoryTotal[], change: CategoryTotal) => addToTotals(totals, change);
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 30 }), (rows) => {
      const totals = rows.reduce(add, []);
      const shuffled = [...rows].reverse().reduce(add, []);
      for (const type of TRANSACTION_TYPES) {
        const own = rows.filter((row) => row.type === type);
        const expected = {
          totalCents: sumCents(own.map((row) => row.totalCents)),
          count: own.length,
        };
        expect(totalOfType(totals, type)).toEqual(expected);
        expect(totalOfType(shuffled, type)).toEqual(expected);
      }
      const gone = rows
        .map((row) => ({ ...row, totalCents: -row.totalCents, count: -1 }))
        .reduce(add, totals);
      expect(gone).toEqual([]);
    }),
    longer(100),
  );
});
