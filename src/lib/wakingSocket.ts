/**
 * A device that slept wakes with a connection that may be dead without either side having said so. The Convex client
 * gives a silent one up after a minute, but its timer stood still meanwhile: balances would be old, and what is sent
 * would wait, for up to a minute after waking.
 */

/** The client's own limit. The server says something every 15 s. */
const SILENCE_MAX_MS = 60_000;
/** How soon after waking it is noticed. */
const CHECK_MS = 1_000;
const GOING_AWAY = 1001;

/** A WebSocket that closes once it was silent for too long by the device's clock, which goes on while timers sleep. */
export const wakingSocket = (Socket: typeof WebSocket): typeof WebSocket =>
  class extends Socket {
    constructor(url: string | URL) {
      super(url);
      let heardMs = Date.now();
      const timer = setInterval(() => {
        if (Date.now() - heardMs < SILENCE_MAX_MS) return;
        clearInterval(timer);
        const { onclose } = this;
        this.onmessage = this.onclose = null;
        // A dead connection takes long to close, and only then says so.
        this.close();
        onclose?.call(this, new CloseEvent("close", { code: GOING_AWAY }));
      }, CHECK_MS);
      this.addEventListener("message", () => {
        heardMs = Date.now();
      });
      this.addEventListener("close", () => clearInterval(timer));
    }
  };
