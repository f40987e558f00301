import { useSyncExternalStore } from "react";
import { TEXTS } from "#shared/texts";
import { isAnswerAwaited, SLOW_ANSWER_MS, subscribeToCalls } from "../lib/unansweredCalls";
import { useIsOffline } from "./useConnection";
import { useDelayedFlag } from "./useDelayedFlag";

/** True while the answer to something already sent is late or cannot come. */
export function useIsAnswerLate(isOffline: boolean): boolean {
  const isAwaited = useSyncExternalStore(subscribeToCalls, isAnswerAwaited, () => false);
  const isSlow = useDelayedFlag(isAwaited, SLOW_ANSWER_MS);
  return isAwaited && (isOffline || isSlow);
}

/**
 * What a form or dialog says about the connection; null when there is nothing to say. A dialog whose own action is
 * under way also says why it does not close.
 */
export function useConnectionNote(isBusyDialog: boolean): string | null {
  const isOffline = useIsOffline();
  if (useIsAnswerLate(isOffline)) {
    return isBusyDialog ? `${TEXTS.answerAwaited} ${TEXTS.dialogStaysOpen}` : TEXTS.answerAwaited;
  }
  return isOffline ? TEXTS.offline : null;
}
