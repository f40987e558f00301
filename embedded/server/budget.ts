/** Bytes in memory at the same time, limited in total and per sender. */
export class Budget {
  private readonly maxBytes: number;
  private readonly senderMaxBytes: number;
  private heldBytes = 0;
  private readonly heldBySender = new Map<string, number>();

  constructor(maxBytes: number, senderMaxBytes: number) {
    this.maxBytes = maxBytes;
    this.senderMaxBytes = senderMaxBytes;
  }

  /** True when the total allows `bytes` more. */
  hasRoom(bytes: number): boolean {
    return this.heldBytes + bytes <= this.maxBytes;
  }

  /** True when `sender` may have `bytes` more. A null sender is limited by the total only. */
  allows(sender: string | null, bytes: number): boolean {
    return sender === null || this.heldOf(sender) + bytes <= this.senderMaxBytes;
  }

  hold(sender: string | null, bytes: number): void {
    this.heldBytes += bytes;
    if (sender === null) return;
    const held = this.heldOf(sender) + bytes;
    if (held > 0) this.heldBySender.set(sender, held);
    else this.heldBySender.delete(sender);
  }

  private heldOf(sender: string): number {
    return this.heldBySender.get(sender) ?? 0;
  }
}
