import { MESSAGES } from "#shared/errors";
import { canonicalEmail, isEmail } from "#shared/email";
import { useCallback, useRef, useState } from "react";
import { errorText } from "../../../lib/errorText";

export type Recipient =
  | { readonly status: "idle" }
  | { readonly status: "checking"; readonly email: string }
  | { readonly status: "found"; readonly email: string; readonly name: string }
  | {
      readonly status: "refused";
      readonly email: string;
      readonly message: string;
      /** No answer came: worth another look-up. */
      readonly hasFailed?: boolean;
    };

/** Resolves to the name, or to why there is none; rejects if the look-up itself fails. */
export type FindRecipient = (email: string) => Promise<{ name: string } | { message: string }>;

const IDLE: Recipient = { status: "idle" };

/**
 * Looks a recipient up by e-mail, once per address: look-ups are counted. An address that was not found is looked up
 * again only with `isAsked`, by the button.
 *
 * `settled` resolves to the name that the given address was verified with, or null, after any look-up under way.
 */
export function useRecipient(find: FindRecipient) {
  const [recipient, setRecipient] = useState<Recipient>(IDLE);
  const current = useRef<Recipient>(IDLE);
  const inFlight = useRef<Promise<void>>(Promise.resolve());

  const change = useCallback((next: Recipient) => {
    current.current = next;
    setRecipient(next);
  }, []);
  const forget = useCallback(() => change(IDLE), [change]);

  const verify = useCallback(
    (text: string, isAsked = false) => {
      const email = canonicalEmail(text);
      const known = current.current;
      const isSettled = known.status !== "refused" || (!isAsked && !known.hasFailed);
      const isKnown = known.status !== "idle" && known.email === email && isSettled;
      // An empty field is nothing to complain about, unless the button asks.
      if (isKnown || (email === "" && !isAsked)) return;
      if (!isEmail(email)) {
        change({ status: "refused", email, message: MESSAGES.INVALID_EMAIL });
        return;
      }
      change({ status: "checking", email });
      // An answer that comes after the address has changed is not about the current one.
      const settle = (next: Recipient) => {
        if (current.current.status === "checking" && current.current.email === email) change(next);
      };
      inFlight.current = find(email).then(
        (answer) =>
          settle(
            "name" in answer
              ? { status: "found", email, name: answer.name }
              : { status: "refused", email, message: answer.message },
          ),
        (error: unknown) =>
          settle({
            status: "refused",
            email,
            message: errorText(error, "RECIPIENT_LOOKUP_FAILED"),
            hasFailed: true,
          }),
      );
    },
    [find, change],
  );

  const settled = useCallback(async (text: string): Promise<string | null> => {
    await inFlight.current;
    const known = current.current;
    return known.status === "found" && known.email === canonicalEmail(text) ? known.name : null;
  }, []);

  return { recipient, verify, forget, settled };
}
