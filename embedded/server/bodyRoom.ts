/** Requests' bodies while they are read, and the room that they may take together. */
import type { IncomingMessage } from "node:http";
import { Budget } from "./budget.ts";
import { HttpError } from "./http.ts";

interface HeldBody {
  /** Null: one of its own. */
  readonly sender: string | null;
  readonly beganMs: number;
  bytes: number;
  readonly cut: () => void;
}

/**
 * Limits the bodies in memory at the same time, in total and per sender. Once there is no room, the sender who has
 * taken most of it for longest makes some: others would have to wait for whoever sends slowly.
 */
export class BodyRoom {
  private readonly budget: Budget;
  private readonly unfinished = new Set<HeldBody>();

  constructor(maxBytes: number, senderMaxBytes: number) {
    this.budget = new Budget(maxBytes, senderMaxBytes);
  }

  /**
   * Reads the whole body, which uses up budget until `release`. A null sender is limited by the total only.
   * @throws HttpError as {@link readBody}; 503 when the budget is used up; when it is cut for another sender's, the
   *   error of a request whose client has left
   */
  async read(
    request: IncomingMessage,
    maxBytes: number,
    sender: string | null,
  ): Promise<{ readonly body: Buffer; readonly release: () => void }> {
    const held: HeldBody = {
      sender,
      beganMs: performance.now(),
      bytes: 0,
      cut: () => {
        release();
        request.destroy();
      },
    };
    const take = (more: number): void => {
      if (!this.budget.allows(sender, more) || !this.makeRoom(more, held)) {
        throw new HttpError(503, "Overloaded", "Too many bodies at once. Try again.");
      }
      held.bytes += more;
      this.budget.hold(sender, more);
    };
    const release = (): void => {
      this.unfinished.delete(held);
      this.budget.hold(sender, -held.bytes);
      held.bytes = 0;
    };
    this.unfinished.add(held);
    try {
      const body = await readBody(request, maxBytes, take);
      this.unfinished.delete(held);
      return { body, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Cuts bodies of others until there is room for `bytes` more; false when its own would be next. */
  private makeRoom(bytes: number, held: HeldBody): boolean {
    while (!this.budget.hasRoom(bytes)) {
      const bodies = this.costliest();
      if (bodies.length === 0 || bodies.includes(held)) return false;
      for (const body of bodies) body.cut();
    }
    return true;
  }

  /** The unfinished bodies of the sender whose bytes, each times its body's age, are most. */
  private costliest(): HeldBody[] {
    const nowMs = performance.now();
    const costs = new Map<string | HeldBody, { cost: number; bodies: HeldBody[] }>();
    for (const body of this.unfinished) {
      const sender = body.sender ?? body;
      const { cost, bodies } = costs.get(sender) ?? { cost: 0, bodies: [] };
      bodies.push(body);
      costs.set(sender, { cost: cost + body.bytes * (nowMs - body.beganMs), bodies });
    }
    return [...costs.values()].sort((one, other) => other.cost - one.cost)[0]?.bodies ?? [];
  }
}

/**
 * Reads the whole body; `onBytes` gets the size of each chunk. @throws HttpError 413 as soon as the limit is
 * exceeded
 */
async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  let body: Buffer = Buffer.alloc(0);
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (sizeBytes + chunk.length > maxBytes) throw tooLarge(maxBytes);
    onBytes(chunk.length);
    body = withRoom(body, sizeBytes, chunk.length);
    sizeBytes += chunk.copy(body, sizeBytes);
  }
  return body.subarray(0, sizeBytes);
}

/**
 * A buffer with the first `sizeBytes` of `body` and room for `moreBytes`. Chunks are copied into one: a sender may
 * make them of one byte each, and a list of them takes two hundred bytes of heap for each.
 */
function withRoom(body: Buffer, sizeBytes: number, moreBytes: number): Buffer {
  if (sizeBytes + moreBytes <= body.length) return body;
  const larger = Buffer.allocUnsafe(Math.max(2 * body.length, sizeBytes + moreBytes));
  body.copy(larger, 0, 0, sizeBytes);
  return larger;
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, "PayloadTooLarge", `The body is larger than ${maxBytes} bytes`);
}
