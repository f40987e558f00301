/** Seeded randomness (sfc32), the same everywhere, for tests that must be repeatable. */
export function chanceOf(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9, 0x243f6a88, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let n = 0; n < 12; n++) next();
  return next;
}

/** A seed from TEST_SEED, or a random one; tests print it so that they can be run again. */
export function seedOfRun(): number {
  const given = process.env.TEST_SEED;
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number.parseInt(given, 10);
}

/** Picks and numbers from a source of randomness. */
export class Dice {
  readonly chance: () => number;
  constructor(seed: number) {
    this.chance = chanceOf(seed);
  }
  /** A whole number from `low` up to (not including) `high`. */
  below(high: number, low = 0): number {
    return low + Math.floor(this.chance() * (high - low));
  }
  isHit(probability: number): boolean {
    return this.chance() < probability;
  }
  of<T>(list: readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined) throw new Error("Nothing to pick from");
    return one;
  }
}

/** How many times longer than in `npm test` the randomized suites run. */
export const SCALE = Number(process.env.TEST_SCALE ?? "1");

/**
 * Options for a property: the given number of runs times the scale, from this run's seed, which a longer run prints (a
 * failing one names it in any case).
 */
export function longer(numRuns: number): { numRuns: number; seed: number; endOnFailure: boolean } {
  const seed = seedOfRun();
  if (SCALE !== 1) process.stdout.write(`${numRuns * SCALE} runs, TEST_SEED=${seed}\n`);
  return { numRuns: numRuns * SCALE, seed, endOnFailure: SCALE !== 1 };
}
