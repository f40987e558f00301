/** When a session is about to end for lack of activity: arithmetic only. */

export interface IdleState {
  /** Within the warning time before the end. */
  isWarning: boolean;
  isOver: boolean;
  /** Seconds until the end; 0 once it is over. */
  secondsLeft: number;
}

/** A moment on the device's clock, which may be set back, and on the page's, which may stop while the device sleeps. */
export interface Moment {
  readonly deviceMs: number;
  readonly pageMs: number;
}

/** The time between two moments, whichever clock stopped or was set back in between. */
export function elapsedMs(from: Moment, to: Moment): number {
  return Math.max(to.deviceMs - from.deviceMs, to.pageMs - from.pageMs);
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
