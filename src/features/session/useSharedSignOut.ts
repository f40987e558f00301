import { useCallback, useEffect, useRef } from "react";
import { openSessionChannel, type SessionChannel } from "./channel";

/** Signing out in one tab signs the same person out in every tab of this browser. */
export function useSharedSignOut(
  userId: string,
  signOut: () => Promise<void>,
): () => Promise<void> {
  const latest = useRef(signOut);
  const channel = useRef<SessionChannel>(null);
  useEffect(() => {
    latest.current = signOut;
  }, [signOut]);
  useEffect(() => {
    const opened = openSessionChannel(userId, (kind) => {
      if (kind === "signedOut") void latest.current();
    });
    channel.current = opened;
    return () => opened.close();
  }, [userId]);
  return useCallback(async () => {
    channel.current?.send("signedOut");
    await latest.current();
  }, []);
}
