/**
 * Browsers notice late that a line swallows everything: a handshake is given up after four minutes, in which no other is
 * begun to the same host. The Convex client asks for another after one, without closing the first; an open connection
 * that is silent it gives up after a minute, but its timer stands still while the device sleeps.
 */

/** How long a handshake may take: several round trips of a slow line, behind the files of a page. */
const HANDSHAKE_MS = 30_000;
/** The client's own limit. The server says something every 15 s. */
const SILENCE_MAX_MS = 60_000;
/** How soon after waking it is noticed. */
const CHECK_MS = 1_000;
const GOING_AWAY = 1001;

/** A WebSocket that is given up after too long a silence by the device's clock, which goes on while timers sleep. */
export function patientSocket(Socket: typeof WebSocket): typeof WebSocket {
  return class extends Socket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      let limitMs = HANDSHAKE_MS;
      let heardMs = Date.now();
      const timer = setInterval(() => {
        if (Date.now() - heardMs < limitMs) return;
        clearInterval(timer);
        const { onclose } = this;
        this.onmessage = this.onclose = this.onerror = null;
        // A dead connection takes long to close, and only then says so.
        this.close();
        onclose?.call(this, new CloseEvent("close", { code: GOING_AWAY }));
      }, CHECK_MS);
      this.addEventListener("open", () => {
        limitMs = SILENCE_MAX_MS;
        heardMs = Date.now();
      });
      this.addEventListener("message", () => {
        heardMs = Date.now();
      });
      this.addEventListener("close", () => clearInterval(timer));
    }
  };
}
