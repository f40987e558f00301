import { useCallback, useEffect, useRef } from "react";
import { openSessionChannel, type SessionChannel } from "./channel";

/**
 * Signing out in one tab signs the same person out in every tab of this browser. Without a person this tab neither
 * sends nor listens.
 */
export function useSharedSignOut(
  userId: string | undefined,
  signOut: () => Promise<void>,
): () => Promise<void> {
  const latest = useRef(signOut);
  const channel = useRef<SessionChannel>(null);
  useEffect(() => {
    latest.current = signOut;
  }, [signOut]);
  useEffect(() => {
    if (userId === undefined) return;
    const opened = openSessionChannel(userId, (kind) => {
      if (kind === "signedOut") void latest.current();
    });
    channel.current = opened;
    return () => {
      channel.current = null;
      opened.close();
    };
  }, [userId]);
  return useCallback(async () => {
    channel.current?.send("signedOut");
    await latest.current();
  }, []);
}
