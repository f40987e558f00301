import { onTestFinished } from "vitest";

/** Counts the turns of the event loop from now on. */
export function countTurns(): () => number {
  let turns = 0;
  const tick = (): void => {
    turns += 1;
    immediate = setImmediate(tick);
  };
  let immediate = setImmediate(tick);
  onTestFinished(() => clearImmediate(immediate));
  return () => turns;
}
