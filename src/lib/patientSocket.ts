/** How long a handshake may take: several round trips of a slow line, behind the files of a page. */
const HANDSHAKE_MS = 30_000;

/**
 * A WebSocket whose handshake is given up. On a line that swallows everything, browsers wait for four minutes, and open
 * no other to the same host meanwhile; the Convex client asks for another after one, but does not close the first.
 */
export function patientSocket(Socket: typeof WebSocket): typeof WebSocket {
  return class extends Socket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      const timer = setTimeout(() => this.close(), HANDSHAKE_MS);
      this.addEventListener("open", () => clearTimeout(timer));
    }
  };
}
