import { useRef, useState, type FormEvent } from "react";
import { messageFor } from "#shared/errors";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { Textarea } from "../../components/ui/TextInput";
import { useDraft } from "../../hooks/useDraft";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import { formatDateTime, inOnePiece } from "../../lib/format";

interface InformationRequestData {
  text: string;
  requestedAt: number;
  answer?: string | undefined;
  answeredAt?: number | undefined;
}

const NO_ANSWER = { answer: "" };

/** What the reviewers ask an applicant, and the answer. */
export function InformationRequest({
  draftKey,
  request,
  onAnswer,
  isBusy,
  problem,
  onEdit,
}: {
  /** Names the request; an answer being written is kept under it. */
  draftKey: string;
  request: InformationRequestData;
  /** Resolves to whether it was sent; if so, the form empties itself, because there may be another question. */
  onAnswer: (answer: string) => Promise<boolean>;
  isBusy: boolean;
  problem: string | null;
  /** Clears `problem`. */
  onEdit: () => void;
}) {
  const [{ answer }, setDraft, forget] = useDraft(draftKey, NO_ANSWER);
  const [isEmpty, setIsEmpty] = useState(false);
  const hasAnswer = request.answer !== undefined;
  const answered = useRef<HTMLElement>(null);
  // The form goes, and with it the button that had the focus.
  useFocusHandover(hasAnswer, () => answered.current);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const isMissing = answer.trim() === "";
    setIsEmpty(isMissing);
    if (!isMissing && !isBusy && (await onAnswer(answer.trim()))) forget();
  };
  return (
    <Card
      title="We need more information"
      lead={`Asked on ${inOnePiece(formatDateTime(request.requestedAt))}`}
      className="border-warn!"
    >
      <p className="mb-5 max-w-[65ch] whitespace-pre-line wrap-anywhere">{request.text}</p>
      {hasAnswer ? (
        <figure ref={answered} tabIndex={-1} className="scroll-mt-22 rounded-control bg-sunken p-4">
          <figcaption className="mb-1 text-sm font-semibold">Your answer</figcaption>
          <blockquote className="whitespace-pre-line wrap-anywhere">{request.answer}</blockquote>
        </figure>
      ) : (
        <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-4">
          <Textarea
            label="Your answer"
            value={answer}
            onChange={(event) => {
              setDraft({ answer: event.target.value });
              setIsEmpty(false);
              onEdit();
            }}
            isErrorAnnounced
            error={isEmpty ? messageFor("FILL_REQUIRED_FIELDS") : (problem ?? undefined)}
          />
          <Button
            type="submit"
            isBusy={isBusy}
            busyLabel="Sending..."
            className="sm:justify-self-start"
          >
            Send answer
          </Button>
        </form>
      )}
      <StatusBanner className="mt-4">
        {hasAnswer && "Thank you. Your answer was sent to our review team."}
      </StatusBanner>
    </Card>
  );
}
