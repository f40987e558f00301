import fc from "fast-check";
import { expect, test } from "vitest";
import { EntryLog, REMOVED, type Layer } from "../../../embedded/db/entryLog";
import { longer } from "../../support/chance";

const key = fc.integer({ min: 0, max: 60 }).map((n) => `idx0${String(n).padStart(2, "0")}`);
const commit = fc.array(fc.record({ key, isRemoval: fc.boolean() }), { maxLength: 6 });

function rest(layer: Layer | null): [string, string | undefined][] {
  const found: [string, string | undefined][] = [];
  while (layer?.advance() === true) found.push([layer.key, layer.value]);
  return found;
}

test("a view of the entries sees its own commit and those before, whatever is written meanwhile", () => {
  fc.assert(
    fc.property(
      fc.array(commit, { minLength: 2, maxLength: 40 }),
      fc.nat(),
      key,
      key,
      fc.boolean(),
      fc.nat({ max: 20 }),
      (commits, chosen, low, high, isReverse, readBefore) => {
        const log = new EntryLog();
        const model = new Map<string, string>();
        const viewSeq = 1 + (chosen % (commits.length - 1));
        const write = (seq: number): void => {
          log.oldestSeq = Math.min(seq - 1, viewSeq);
          for (const { key: written, isRemoval } of commits[seq - 1]!) {
            const id = isRemoval ? REMOVED : `${seq}`;
            log.set(written, id, seq);
            if (seq <= viewSeq) model.set(written, id);
          }
        };
        for (let seq = 1; seq <= viewSeq; seq++) write(seq);
        const expected = [...model]
          .filter(([one]) => one >= low && one < high)
          .sort(([a], [b]) => (a < b === isReverse ? 1 : -1));
        const layer = log.range(low, high, isReverse, viewSeq);
        const found: [string, string | undefined][] = [];
        for (let at = 0; at < readBefore && layer?.advance() === true; at++) {
          found.push([layer.key, layer.value]);
        }
        for (let seq = viewSeq + 1; seq <= commits.length; seq++) write(seq);
        // A layer that has ended is not asked again.
        if (found.length === readBefore) found.push(...rest(layer));
        expect(found).toEqual(expected);
        expect(rest(log.range(low, high, isReverse, viewSeq))).toEqual(expected);
        if (expected.length > 0) expect(log.hasIn(low, high)).toBe(true);
      },
    ),
    longer(300),
  );
});
