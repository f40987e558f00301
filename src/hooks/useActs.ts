import { ADMIN_SUCCESS_MS } from "#shared/limits";
import type { Refusal } from "../lib/errorText";
import type { CommandOutcome } from "./useCommand";
import { useTimedText } from "./useTimedText";

/** What a dialog knows of the act that it asks about. */
export interface ActState {
  isBusy: boolean;
  /** Why the last act was refused. */
  failure: string | null;
  clearFailure: () => void;
}

/** What a card or a list of the back office knows of its acts. */
export interface Acts extends ActState {
  /** What the last act came to, for some seconds. */
  done: string | null;
}

/** The part of a command (hooks/useCommand) that does not depend on what it takes and gives. */
interface Act {
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  readonly clear: () => void;
}

/** Several commands, of which one runs at a time, as one. */
export const actState = (...commands: readonly Act[]): ActState => ({
  isBusy: commands.some(({ isBusy }) => isBusy),
  failure: commands.find(({ refusal }) => refusal !== null)?.refusal?.message ?? null,
  clearFailure: () => commands.forEach(({ clear }) => clear()),
});

/**
 * The commands of a card or a list as one, and the sentence that says what was done. `tell` shows it once an act has
 * succeeded, and returns whether it has.
 */
export function useActs(...commands: readonly Act[]) {
  const [done, showDone] = useTimedText(ADMIN_SUCCESS_MS);
  const tell = <Value>(
    outcome: CommandOutcome<Value>,
    sentence: string | ((value: Value) => string),
  ): boolean => {
    if (outcome.isOk) {
      showDone(typeof sentence === "string" ? sentence : sentence(outcome.value));
    }
    return outcome.isOk;
  };
  const acts: Acts = { ...actState(...commands), done };
  return { acts, tell };
}
