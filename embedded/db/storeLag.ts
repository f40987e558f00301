/** How far the store is behind the log. */
export interface StoreLag {
  /** Bytes of log records of commits that are not yet applied. These commits are held in memory. */
  readonly bytes: number;
  /** How long the apply that is running has taken so far; 0 when none is. */
  readonly batchMs: number;
  /** True when the lag is above its limit and new mutations wait (`room`). */
  readonly isFull: boolean;
}
