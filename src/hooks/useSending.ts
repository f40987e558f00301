import { useConvex, type ConvexReactClient } from "convex/react";
import { useCallback } from "react";
import { appError } from "#shared/errors";
import { countUntilAnswered } from "../lib/unansweredCalls";
import { GRACE_MS, isConnected, subscribeToConnection } from "./useConnection";

/** True once there is a connection; false after three seconds without one. */
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
 * Makes a call to the server at once while there is a connection, else as soon as there is one within three
 * seconds, else not at all: the client would keep it and send it whenever it connects again, long after the
 * person has given it up or tried once more.
 *
 * @throws ConvexError OFFLINE when it was not made; what the call throws
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
