import type { ContactMethod, ContactSubject } from "#shared/validators";
import { deploymentUrl } from "../../../lib/env";

/** The arguments of `contact:send`. */
export interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly phone?: string;
  readonly subject: ContactSubject;
  readonly message: string;
  readonly preferredContact: ContactMethod;
}

/** The message with the key by which the server knows it again. */
export type KeyedMessage = ContactMessage & { readonly requestKey: string };

export type ContactOutcome =
  { readonly reference: string } | { readonly refusal: string | undefined };

/** How long an answer may take: on a line that swallows everything, browsers wait for a quarter of an hour. */
const ANSWER_WAIT_MS = 60_000;

/**
 * Sends the message over the HTTP API: the public pages do not load the live client for one call.
 * A refusal carries the server's sentence when it gave one.
 */
export async function sendContact(message: KeyedMessage): Promise<ContactOutcome> {
  const attempt = new AbortController();
  const timer = setTimeout(() => attempt.abort(), ANSWER_WAIT_MS);
  try {
    const response = await fetch(`${deploymentUrl()}/api/mutation`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ path: "contact:send", args: message, format: "json" }),
      signal: attempt.signal,
    });
    return readOutcome(await response.json());
  } catch {
    return { refusal: undefined };
  } finally {
    clearTimeout(timer);
  }
}

function readOutcome(body: unknown): ContactOutcome {
  const reference = textAt(body, "value", "reference");
  return reference === undefined
    ? { refusal: textAt(body, "errorData", "message") }
    : { reference };
}

function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  let at: unknown = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return typeof at === "string" ? at : undefined;
}
