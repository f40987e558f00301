import { useCallback, useEffect, useRef, useState } from "react";
import { payloadText } from "#shared/payloadText";
import { clearDraft, hasDraft, readDraft, writeDraft } from "../lib/drafts";
import { randomKey } from "../lib/randomKey";

/** When a page is left while sending, the same input counts as the same operation for this long, then as a new one. */
const KEPT_MS = 10 * 60_000;

const draftNameOf = (name: string): string => `requests-${name}`;

/** An operation whose answer nobody has seen. */
interface Unanswered {
  readonly payload: string;
  readonly key: string;
  readonly sentAtMs: number;
}

/** Operations that an earlier page, or this one before it was left, never saw answered, while their draft exists. */
function keptOf(name: string): readonly Unanswered[] {
  // The answer came and emptied the form: whatever is typed now, even the same again, is a new operation.
  if (!hasDraft(name)) {
    clearDraft(draftNameOf(name));
    return [];
  }
  const { unanswered } = readDraft(draftNameOf(name), { unanswered: "[]" });
  const sinceMs = Date.now() - KEPT_MS;
  return (JSON.parse(unanswered) as Unanswered[]).filter(({ sentAtMs }) => sentAtMs > sinceMs);
}

export interface RequestKeys<Payload> {
  /** The key of this intended operation: the same until it is answered. */
  keyFor: (payload: Payload) => string;
  /** Call when the server has answered this one, with success or with a refusal. */
  settle: (payload: Payload) => void;
}

/**
 * Makes one request key per intended operation of the form whose draft has this `name`.
 *
 * A key is kept until its outcome has been shown, so that sending the same operation again cannot do it twice, even
 * from a page that was reloaded, or left and reopened with its draft, while sending. A different payload is a different
 * operation and gets its own key.
 */
export function useRequestKey<Payload>(name: string): RequestKeys<Payload> {
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
    (of: Payload): string => {
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
    (of: Payload) => {
      // Someone who has left reads no answer and may come back to the same text in the draft.
      if (!isShown.current) return;
      const payload = payloadText(of);
      // Operations kept from earlier are given up along with it.
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

/**
 * The same for an operation that has a secret in it, or in its answer: in memory, so not for a page that was reloaded,
 * and for the latest operation only.
 */
export function useSecretRequestKey<Payload>(): RequestKeys<Payload> {
  const unanswered = useRef<Pick<Unanswered, "payload" | "key">>(null);
  const keyFor = useCallback((of: Payload): string => {
    const payload = payloadText(of);
    const { current } = unanswered;
    const operation = current?.payload === payload ? current : { payload, key: randomKey() };
    unanswered.current = operation;
    return operation.key;
  }, []);
  const settle = useCallback(() => {
    unanswered.current = null;
  }, []);
  return { keyFor, settle };
}
