/**
 * What the tabs of one browser tell each other about one person's session: that the person is active, and that they
 * signed out. Tabs of other people ignore it.
 */
type SessionSignal = {
  readonly kind: "active" | "signedOut";
  readonly userId: string;
};

export interface SessionChannel {
  send: (kind: SessionSignal["kind"]) => void;
  close: () => void;
}

const NAME = "session";

function isSignal(data: unknown): data is SessionSignal {
  if (typeof data !== "object" || data === null) return false;
  const { kind, userId } = data as Record<string, unknown>;
  return (kind === "active" || kind === "signedOut") && typeof userId === "string";
}

/** A channel between tabs; null where the browser refuses it along with storage. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}

/** Opens one person's channel; `onSignal` only hears the other tabs. */
export function openSessionChannel(
  userId: string,
  onSignal: (kind: SessionSignal["kind"]) => void,
): SessionChannel {
  const channel = openChannel(NAME);
  if (channel === null) return { send: () => undefined, close: () => undefined };
  channel.onmessage = (event: MessageEvent<unknown>) => {
    if (isSignal(event.data) && event.data.userId === userId) onSignal(event.data.kind);
  };
  return {
    send: (kind) => channel.postMessage({ kind, userId } satisfies SessionSignal),
    close: () => channel.close(),
  };
}
