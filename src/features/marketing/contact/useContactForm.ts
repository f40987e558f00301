import { useReducer, type FormEvent } from "react";
import { TEXTS } from "#shared/texts";
import { useRequestKey } from "../../../hooks/useRequestKey";
import { CONTACT_DRAFT, contactDraftOf, forgetContactDraft } from "./contactDraft";
import { CONTACT_FIELD_IDS, type ContactDraft, type ContactField } from "./contactFields";
import type { JudgedContact } from "./judgeContact";
import { sendContact } from "./sendContact";

export type ContactProblem = { readonly field: ContactField | "root"; readonly message: string };

type ContactState =
  | { readonly step: "editing"; readonly problems: readonly ContactProblem[] }
  | { readonly step: "sending" }
  | { readonly step: "sent"; readonly reference: string };

const NOT_SENT = "Your message could not be sent. Try again, or write to us by email.";
const NOT_ANSWERED =
  "There was no answer, so your message may not have arrived. Send it again: it cannot arrive twice. Or write to us by email.";
const unlessOffline = (text: string): string => (navigator.onLine ? text : TEXTS.offline);
const START: ContactState = { step: "editing", problems: [] };

interface ContactForm {
  readonly state: ContactState;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
  /** Unmarks a field that is being corrected. */
  readonly onEdit: (field: string) => void;
  readonly startAgain: () => void;
}

/** editing → sending → sent, or back to editing with what was wrong. */
export function useContactForm(send: typeof sendContact = sendContact): ContactForm {
  const [state, setState] = useReducer((_: ContactState, next: ContactState) => next, START);

  const { keyFor, settle } = useRequestKey(CONTACT_DRAFT);

  const refuse = (problems: readonly ContactProblem[]) => {
    setState({ step: "editing", problems });
    const first = problems[0]?.field;
    if (first && first !== "root") document.getElementById(CONTACT_FIELD_IDS[first])?.focus();
  };

  return {
    state,
    onSubmit: async (event) => {
      event.preventDefault();
      if (state.step === "sending") return;
      const draft = contactDraftOf(event.currentTarget);
      setState({ step: "sending" });
      // The rules bring a schema library, so they are loaded once there is something to judge.
      const judged = await judge(draft);
      if ("problems" in judged) return refuse(judged.problems);
      const { message } = judged;
      const outcome = await send({ ...message, requestKey: keyFor(message) });
      // Without an answer the message may have arrived: sent again, it keeps its key.
      if ("reference" in outcome || outcome.refusal !== undefined) settle(message);
      if (!("reference" in outcome)) {
        return refuse([{ field: "root", message: outcome.refusal ?? unlessOffline(NOT_ANSWERED) }]);
      }
      forgetContactDraft();
      setState({ step: "sent", reference: outcome.reference });
    },
    onEdit: (field) => {
      if (state.step !== "editing" || state.problems.length === 0) return;
      const problems = state.problems.filter((problem) => problem.field !== field);
      setState({ step: "editing", problems });
    },
    startAgain: () => setState(START),
  };
}

/** The message, or what is wrong, including that the rules could not be loaded. */
async function judge(draft: ContactDraft): Promise<JudgedContact> {
  try {
    const { judgeContact } = await import("./judgeContact");
    return judgeContact(draft);
  } catch {
    return { problems: [{ field: "root", message: unlessOffline(NOT_SENT) }] };
  }
}
