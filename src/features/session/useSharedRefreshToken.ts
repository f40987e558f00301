import { useAuthToken } from "@convex-dev/auth/react";
import { useEffect, useRef } from "react";
import { tabStorage } from "../../lib/tabStorage";
import { openChannel } from "./channel";

const storedKey = () => tabStorage.keys("__convexAuthRefreshToken")[0];

/** The token this tab renews its session with, or null. */
function refreshToken(): string | null {
  const key = storedKey();
  return key === undefined ? null : tabStorage.getItem(key);
}

/** The second half of a refresh token names its session. */
function sessionOf(token: string | null): string | undefined {
  return token?.split("|")[1];
}

/**
 * Gives all tabs of one session the newest refresh token. Browsers copy a tab's storage when it is duplicated, and the
 * server treats the second use of a token as theft and ends the session.
 *
 * Security: the channel is named after the session's id, which only its own tabs know, so tabs of other people cannot
 * listen.
 */
export function useSharedRefreshToken(): void {
  const accessToken = useAuthToken();
  const token = accessToken === null ? null : refreshToken();
  const session = sessionOf(token);
  const channel = useRef<BroadcastChannel>(null);
  const shared = useRef(token);
  useEffect(() => {
    if (session === undefined) return undefined;
    const opened = openChannel(`refresh token of ${session}`);
    if (opened === null) return undefined;
    opened.onmessage = ({ data }: MessageEvent<unknown>) => {
      const key = storedKey();
      const isSuccessor = typeof data === "string" && sessionOf(data) === session;
      if (!isSuccessor || key === undefined || sessionOf(refreshToken()) !== session) return;
      tabStorage.setItem(key, data);
      shared.current = data;
    };
    channel.current = opened;
    return () => opened.close();
  }, [session]);
  useEffect(() => {
    // The token this tab came with may be older than the one the others have.
    if (shared.current !== null && token !== null && token !== shared.current) {
      channel.current?.postMessage(token);
    }
    shared.current = token;
  }, [token]);
}
