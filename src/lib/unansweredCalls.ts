/** Calls sent to the server from anywhere on the page that have no answer yet. */
import { newListeners } from "./listeners";

/** How long a call may go without an answer before it is mentioned: a dead line may look like a slow one. */
export const SLOW_ANSWER_MS = 5_000;

const listeners = newListeners();
let count = 0;

function changeBy(difference: number): void {
  count += difference;
  listeners.tell();
}

/** Counts a call until it settles; passes its outcome on. */
export function countUntilAnswered<Result>(call: Promise<Result>): Promise<Result> {
  changeBy(1);
  return call.finally(() => changeBy(-1));
}

/** Whether there are any. */
export const isAnswerAwaited = (): boolean => count > 0;

/** For `useSyncExternalStore`. */
export const subscribeToCalls = listeners.subscribe;
