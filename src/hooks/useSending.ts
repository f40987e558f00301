import { useConvex, type ConvexReactClient } from "convex/react";
import { useCallback } from "react";
import { appError } from "#shared/errors";
import { countUntilAnswered } from "../lib/unansweredCalls";
import { graceMs, isConnected, subscribeToConnection } from "./useConnection";

/** Resolves to true once there is a connection, to false after {@link graceMs} without one. */
function connected(client: ConvexReactClient): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isThere: boolean) => {
      clearTimeout(timer);
      unsubscribe();
      resolve(isThere);
    };
    let waitMs = graceMs(client);
    let timer = setTimeout(settle, waitMs, false);
    const unsubscribe = subscribeToConnection(client, () => {
      if (isConnected(client)) return settle(true);
      if (graceMs(client) === waitMs) return;
      waitMs = graceMs(client);
      clearTimeout(timer);
      timer = setTimeout(settle, waitMs, false);
    });
  });
}

/**
 * Calls the server at once if connected, otherwise as soon as a connection is there within {@link graceMs}, otherwise not
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
