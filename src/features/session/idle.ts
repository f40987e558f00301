/** When a session is about to end for lack of activity: arithmetic only. */

export interface IdleState {
  /** Within the warning time before the end. */
  isWarning: boolean;
  isOver: boolean;
  /** Seconds until the end; 0 once it is over. */
  secondsLeft: number;
}

/** All times in ms; `idleMs` since the last activity. The warning never takes more than half of a short timeout. */
export function idleStateAfter(idleMs: number, timeoutMs: number, warningMs: number): IdleState {
  const leftMs = Math.max(0, timeoutMs - idleMs);
  return {
    isWarning: leftMs > 0 && leftMs <= Math.min(warningMs, timeoutMs / 2),
    isOver: leftMs === 0,
    secondsLeft: Math.ceil(leftMs / 1000),
  };
}

/** "1:05" */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
