import { useConvex, type ConvexReactClient } from "convex/react";
import { useCallback } from "react";
import { appError } from "#shared/errors";
import { countUntilAnswered } from "../lib/unansweredCalls";
import { GRACE_MS, isConnected, subscribeToConnection } from "./useConnection";

/** Resolves to true once there is a connection, to false after three seconds without one. */
function connected(client: ConvexReactClient): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isThere: boolean) => {
      clearTimeout(timer);
      unsubscribe();
      resolve(isThere);
    };
    const timer = setTimeout(() => settle(false), GRACE_MS);
    const unsubscribe = subscribeToConnection(client, () => {
      if (isConnected(client)) settle(true);
    });
  });
}

/**
 * Calls the server at once if connected, otherwise as soon as a connection is back within three seconds, otherwise not
 * at all: the client would keep the call and send it on reconnecting, long after the person gave up or tried again.
 *
 * @throws ConvexError OFFLINE when the call was not made; whatever the call throws
 */
export function useSending(): <Result>(call: () => Promise<Result>) => Promise<Result> {
  const client = useConvex();
  return useCallback(
    async <Result>(call: () => Promise<Result>) => {
      if (!isConnected(client) && !(await connected(client))) throw appError("OFFLINE");
      return countUntilAnswered(call());
    },
    [client],
  );
}
