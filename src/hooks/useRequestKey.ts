import { useCallback, useEffect, useRef, useState } from "react";
import { clearDraft, hasDraft, readDraft, writeDraft } from "../lib/drafts";
import { payloadText } from "../lib/payloadText";

/**
 * The same input is the same operation for this long after its page was left while it was sent; after that it
 * counts as a new one.
 */
const KEPT_MS = 10 * 60_000;

const draftNameOf = (name: string): string => `requests-${name}`;

/** An operation that nobody has seen the answer of. */
interface Unanswered {
  readonly payload: string;
  readonly key: string;
  readonly sentAtMs: number;
}

/** 128 random bits as text; unlike `randomUUID` this also exists on plain-http origins. */
function randomKey(): string {
  const KEY_BYTES = 16;
  return Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** What an earlier page, or this one before it was left, did not see answered, as long as its draft is there. */
function keptOf(name: string): readonly Unanswered[] {
  // The answer came and emptied the form: whatever is typed now, also the same again, is a new operation.
  if (!hasDraft(name)) {
    clearDraft(draftNameOf(name));
    return [];
  }
  const { unanswered } = readDraft(draftNameOf(name), { unanswered: "[]" });
  const sinceMs = Date.now() - KEPT_MS;
  return (JSON.parse(unanswered) as Unanswered[]).filter(({ sentAtMs }) => sentAtMs > sinceMs);
}

export interface RequestKeys {
  /** The key of this intended operation: the same one until it is answered. */
  keyFor: (payload: unknown) => string;
  /** Call when the server has answered this one, with success or with a refusal. */
  settle: (payload: unknown) => void;
}

/**
 * Makes one request key per intended operation of the form whose draft has this `name`.
 *
 * A key is kept until its outcome was shown, so that sending the same operation again cannot do it
 * twice, also from a page that was loaded anew, or left and opened again with its draft, while it was sent.
 * Another payload is another operation and gets a key of its own.
 */
export function useRequestKey(name: string): RequestKeys {
  const [kept] = useState(() => keptOf(name));
  const unanswered = useRef(kept);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const keep = useCallback(
    (operations: readonly Unanswered[]) => {
      unanswered.current = operations;
      writeDraft(draftNameOf(name), { unanswered: JSON.stringify(operations) });
    },
    [name],
  );
  const keyFor = useCallback(
    (of: unknown): string => {
      const payload = payloadText(of);
      const others = unanswered.current.filter((operation) => operation.payload !== payload);
      const key = unanswered.current.find((operation) => operation.payload === payload)?.key;
      const operation = { payload, key: key ?? randomKey(), sentAtMs: Date.now() };
      keep([...others, operation]);
      return operation.key;
    },
    [keep],
  );
  const settle = useCallback(
    (of: unknown) => {
      // Who has left reads no answer, and may meet the same words in the draft.
      if (!isShown.current) return;
      const payload = payloadText(of);
      // What was typed before it has been given up with it.
      keep(
        unanswered.current.filter(
          (operation) => operation.payload !== payload && !kept.includes(operation),
        ),
      );
    },
    [keep, kept],
  );
  return { keyFor, settle };
}
