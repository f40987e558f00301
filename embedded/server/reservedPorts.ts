/**
 * Ports of a server that is being started: its functions learn its address long before it listens there.
 *
 * Not here: listening (server).
 */
import { createServer, type AddressInfo, type Server } from "node:net";

export class ReservedPorts {
  private held: Server[] = [];

  /** The port asked for; for 0 a free one, which nobody else gets until `release`. @throws Error for none */
  async choose(port: number, host: string): Promise<number> {
    if (port !== 0) return port;
    const holder = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      holder.once("error", reject);
      holder.listen(0, host, resolve);
    });
    this.held.push(holder);
    return (holder.address() as AddressInfo).port;
  }

  /** Gives all of them up, to be listened on at once. Safe to call twice. */
  async release(): Promise<void> {
    const { held } = this;
    this.held = [];
    await Promise.all(held.map((holder) => new Promise((resolve) => holder.close(resolve))));
  }
}
