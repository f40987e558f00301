import { useCallback, useEffect, useId, useRef, useState, type FormEvent } from "react";
import { TEXTS } from "#shared/texts";
import { Button } from "../../../components/ui/Button";
import { RadioCards } from "../../../components/ui/RadioCards";
import { RefusalAlert } from "../../../components/ui/RefusalAlert";
import { Select } from "../../../components/ui/Select";
import { Notice, StatusBanner } from "../../../components/ui/StatusBanner";
import { Textarea, TextInput } from "../../../components/ui/TextInput";
import { useDelayedFlag } from "../../../hooks/useDelayedFlag";
import { useFocusHandover } from "../../../hooks/useFocusHandover";
import { SLOW_ANSWER_MS } from "../../../lib/unansweredCalls";
import { useIsHydrated } from "../useIsHydrated";
import { keepContactDraft, restoreContactDraft } from "./contactDraft";
import { CONTACT_FIELD_IDS, METHOD_OPTIONS, SUBJECT_OPTIONS } from "./contactFields";
import type { sendContact } from "./sendContact";
import { useContactForm, type ContactProblem } from "./useContactForm";

interface ContactFormProps {
  /** How a message is sent; tests pass their own. */
  readonly send?: typeof sendContact;
}

/** The contact form (spec section 2 "Public pages"). Fields keep their values through a refusal and a reload. */
export function ContactForm({ send }: ContactFormProps) {
  const { state, onSubmit, onEdit, startAgain } = useContactForm(send);
  // "Write another message" disappears along with the notice around it.
  useFocusHandover(state.step, (before) =>
    before === "sent" ? document.getElementById(CONTACT_FIELD_IDS.name) : null,
  );
  if (state.step === "sent") return <ContactSent reference={state.reference} again={startAgain} />;
  return (
    <ContactFields
      problems={state.step === "editing" ? state.problems : []}
      isSending={state.step === "sending"}
      onSubmit={onSubmit}
      onEdit={onEdit}
    />
  );
}

interface ContactFieldsProps {
  readonly problems: readonly ContactProblem[];
  readonly isSending: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
  readonly onEdit: (field: string) => void;
}

function ContactFields({ problems, isSending, onSubmit, onEdit }: ContactFieldsProps) {
  const [preferredContact, setPreferredContact] = useState("email");
  const isHydrated = useIsHydrated();
  const isAnswerLate = useDelayedFlag(isSending, SLOW_ANSWER_MS);
  // What was typed before React took over the page is only in the fields.
  const takeOver = useCallback((form: HTMLFormElement | null) => {
    if (form) setPreferredContact(restoreContactDraft(form));
  }, []);
  const alertId = useId();
  // A sentence shared by several fields is shown once; each of them points to it.
  const sentences = [...new Set(problems.map((problem) => problem.message))];
  const first = problems[0]?.field;
  const field = (name: keyof typeof CONTACT_FIELD_IDS) => {
    const isInvalid = problems.some((problem) => problem.field === name);
    return {
      id: CONTACT_FIELD_IDS[name],
      name,
      isInvalid,
      describedBy: isInvalid ? alertId : undefined,
      onInput: () => onEdit(name),
    };
  };

  return (
    <form
      ref={takeOver}
      className="grid grid-cols-1 gap-5 sm:grid-cols-2"
      onInput={(event) => keepContactDraft(event.currentTarget)}
      onSubmit={(event) => void onSubmit(event)}
      method="post"
      noValidate
    >
      <RefusalAlert
        id={alertId}
        className="sm:col-span-2"
        message={sentences.length === 0 ? undefined : sentences.join(" ")}
        fieldId={first === undefined || first === "root" ? undefined : CONTACT_FIELD_IDS[first]}
      />
      <TextInput label="Name" autoComplete="name" {...field("name")} />
      <TextInput label="Email" type="email" autoComplete="email" {...field("email")} />
      <TextInput label="Phone" type="tel" autoComplete="tel" isOptional {...field("phone")} />
      <Select
        label="Subject"
        defaultValue=""
        placeholder="Choose a subject"
        options={SUBJECT_OPTIONS}
        {...field("subject")}
      />
      <Textarea label="Message" rows={6} fieldClassName="sm:col-span-2" {...field("message")} />
      <div className="sm:col-span-2">
        <RadioCards
          legend="Preferred contact method"
          name="preferredContact"
          options={METHOD_OPTIONS}
          value={preferredContact}
          onValueChange={setPreferredContact}
          columns={2}
        />
      </div>
      <div className="sm:col-span-2">
        <Button
          type="submit"
          size="lg"
          disabled={!isHydrated}
          isBusy={isSending}
          busyLabel="Sending..."
          className="w-full sm:w-auto"
        >
          Send Message
        </Button>
      </div>
      <div aria-live="polite" className="empty:absolute sm:col-span-2">
        {isAnswerLate && <Notice tone="warning">{TEXTS.answerAwaited}</Notice>}
      </div>
    </form>
  );
}

interface ContactSentProps {
  readonly reference: string;
  readonly again: () => void;
}

function ContactSent({ reference, again }: ContactSentProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div ref={panel} tabIndex={-1} className="grid gap-5">
      <StatusBanner>
        Your message was sent. Your reference number is <strong>{reference}</strong>.
      </StatusBanner>
      <p className="text-muted">Mention the number when you call or write about it again.</p>
      <Button variant="secondary" onClick={again} className="justify-self-start">
        Write another message
      </Button>
    </div>
  );
}
