import { useCallback, useRef } from "react";
import { payloadText } from "../lib/payloadText";

/** 128 random bits as text; unlike `randomUUID` this also exists on plain-http origins. */
function randomKey(): string {
  const KEY_BYTES = 16;
  return Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

export interface RequestKeys {
  /** The key of this intended operation: the same one until it is answered. */
  keyFor: (payload: unknown) => string;
  /** Call when the server has answered this one, with success or with a refusal. */
  settle: (payload: unknown) => void;
}

/**
 * Makes one request key per intended operation.
 *
 * A key is kept while its outcome is unknown, so that sending the same operation again cannot do it
 * twice; another payload is another operation and gets a key of its own.
 */
export function useRequestKey(): RequestKeys {
  /** Keys of the operations without an answer, by their payload. */
  const unanswered = useRef(new Map<string, string>());
  const keyFor = useCallback((payload: unknown): string => {
    const text = payloadText(payload);
    const key = unanswered.current.get(text) ?? randomKey();
    unanswered.current.set(text, key);
    return key;
  }, []);
  const settle = useCallback((payload: unknown) => {
    unanswered.current.delete(payloadText(payload));
  }, []);
  return { keyFor, settle };
}
