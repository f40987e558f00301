/** Keeps the document cache within its bound, in slices, so that no call waits for a whole pass. */
import type { Versions } from "./snapshot.ts";

/** One per database. */
export class CacheTrim {
  private readonly versions: Versions;
  private readonly appliedSeq: () => number;
  private timer: NodeJS.Immediate | null = null;
  private isStopped = false;

  /** @param appliedSeq position up to which every open store snapshot holds the commits */
  constructor(versions: Versions, appliedSeq: () => number) {
    this.versions = versions;
    this.appliedSeq = appliedSeq;
  }

  /** Begins a trim; the cache is smaller a few turns of the event loop later. */
  request(): void {
    // The previous pass has not finished: finish it now, or a fast reader would outgrow the cache.
    if (this.timer !== null) this.versions.trimAll(this.appliedSeq());
    this.versions.beginTrim();
    this.timer ??= setImmediate(this.trimOn).unref();
  }

  private readonly trimOn = (): void => {
    this.timer = null;
    if (this.isStopped || this.versions.trimSome(this.appliedSeq())) return;
    this.timer = setImmediate(this.trimOn).unref();
  };

  /** Evicts at once everything that the store holds. */
  empty(): void {
    this.versions.beginTrim(0);
    this.versions.trimAll(this.appliedSeq());
  }

  stop(): void {
    this.isStopped = true;
  }
}
