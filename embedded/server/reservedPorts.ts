/**
 * Ports of a server that is starting: its functions learn its address long before it listens there.
 *
 * Not here: serving (server).
 */
import { createServer, type AddressInfo, type Server } from "node:net";

/** Readable reasons why listening failed, by the system's error code. */
const REASONS: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) => `Port ${port} of ${host} is taken by another program.`,
  EADDRNOTAVAIL: (_, host) => `${host} is no address of this machine.`,
  ENOTFOUND: (_, host) => `${host} is the name of no machine.`,
  EACCES: (port) => `Port ${port} is not open to this user.`,
};

/** Starts listening. @throws Error that names the port or the host; its `cause` is the system's error */
export async function listenAt(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      const reason = REASONS[error.code ?? ""];
      reject(reason === undefined ? error : new Error(reason(port, host), { cause: error }));
    };
    server.once("error", refuse);
    server.listen(port, host, () => {
      server.off("error", refuse);
      resolve();
    });
  });
}

const newHolder = (): Server => createServer((socket) => socket.destroy());

/** Holds ports without serving: connections are closed at once. The creator must always call `release`. */
export class ReservedPorts {
  private held: Server[] = [];

  /** The given port, or for 0 a free one, held until `release`. @throws Error when there is none */
  async choose(port: number, host: string): Promise<number> {
    if (port !== 0) return port;
    const holder = newHolder();
    await listenAt(holder, 0, host);
    this.held.push(holder);
    return (holder.address() as AddressInfo).port;
  }

  /** Checks that a port that is not held here can be listened on. @throws Error as {@link listenAt} */
  async check(port: number, host: string): Promise<void> {
    if (port === 0) return;
    const probe = newHolder();
    await listenAt(probe, port, host);
    await new Promise((resolve) => probe.close(resolve));
  }

  /** Releases all held ports, to be listened on right after. Safe to call twice. */
  async release(): Promise<void> {
    const { held } = this;
    this.held = [];
    await Promise.all(held.map((holder) => new Promise((resolve) => holder.close(resolve))));
  }
}
