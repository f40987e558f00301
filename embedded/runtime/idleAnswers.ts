/**
 * Limits the recorded answers of mutations that wrote nothing. No application counts such calls, and each answer is
 * kept for two weeks: a script could fill the disk with them.
 */
const ANSWERS_PER_HOUR_MAX = 1_000;
const HOUR_MS = 60 * 60 * 1000;

/** One per database. */
export class IdleAnswers {
  private readonly counts = new Map<string, number>();
  private startMs = performance.now();

  /**
   * Whether another answer of `person` is to be recorded; it then counts. Without a record, a resent call runs again:
   * it changes something only if a call after it did so in the meantime.
   */
  take(person: string): boolean {
    const nowMs = performance.now();
    if (nowMs - this.startMs >= HOUR_MS) {
      this.counts.clear();
      this.startMs = nowMs;
    }
    const count = this.counts.get(person) ?? 0;
    if (count >= ANSWERS_PER_HOUR_MAX) return false;
    this.counts.set(person, count + 1);
    return true;
  }
}
