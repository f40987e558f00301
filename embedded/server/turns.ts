/** Bounds what one person has under way at the same time; the rest waits, and keeps nobody else waiting. */
import { HttpError } from "./http.ts";

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

/** One per server and kind of work. */
export class Turns {
  private readonly runningMax: number;
  private readonly waitingMax: number;
  private readonly queues = new Map<string, Queue>();

  constructor(runningMax: number, waitingMax: number) {
    this.runningMax = runningMax;
    this.waitingMax = waitingMax;
  }

  /** Whether `enter` would wait. */
  isTaken(person: string): boolean {
    return (this.queues.get(person)?.running ?? 0) >= this.runningMax;
  }

  /** Waits for a turn of `person`, which lasts until `leave`. @throws HttpError 503 when too many wait already */
  async enter(person: string): Promise<{ readonly leave: () => void }> {
    const queue = this.queues.get(person) ?? { running: 0, waiting: [] };
    this.queues.set(person, queue);
    if (queue.running < this.runningMax) queue.running += 1;
    else if (queue.waiting.length >= this.waitingMax) {
      throw new HttpError(503, "Overloaded", "Too many requests at once. Try again.");
    }
    // Whoever leaves hands over its place, so `running` stays as it is.
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
    return { leave: () => this.leave(person, queue) };
  }

  private leave(person: string, queue: Queue): void {
    const next = queue.waiting.shift();
    if (next !== undefined) return next();
    queue.running -= 1;
    if (queue.running === 0) this.queues.delete(person);
  }
}
