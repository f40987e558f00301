/** How far the store is behind the log. */
export interface StoreLag {
  /** Of commits that it does not have yet: they are held in memory. */
  readonly bytes: number;
  /** How long the commits that are being put into it have been on their way. */
  readonly batchMs: number;
  /** True when so much is missing that mutations wait for it (`room`). */
  readonly isFull: boolean;
}
