import { useEffect, useRef, useState, type FormEvent } from "react";
import { ArrowLeft } from "lucide-react";
import clsx from "clsx";
import { plural } from "#shared/counts";
import { INSTITUTION } from "#shared/institution";
import { OTP_DIGITS } from "#shared/limits";
import { Button } from "../../components/ui/Button";
import { ConnectionNote } from "../../components/ui/ConnectionNote";
import { FormAlert } from "../../components/ui/FormAlert";
import { OtpInput } from "../../components/ui/OtpInput";
import { Notice } from "../../components/ui/StatusBanner";
import { MailLink } from "../../components/ui/TextLink";
import { useDocumentTitle } from "../../hooks/useDocumentTitle";

interface OtpStepProps {
  email: string;
  onBack: () => void;
  onSubmit: (code: string) => void;
  isBusy: boolean;
  /** The person came straight from the page where applicants wait. */
  isApproved?: boolean;
  /** The last refusal; `attempt` tells two identical ones apart. */
  problem: { message: string; attempt: number; attemptsLeft?: number | undefined } | null;
}

const ALERT_ID = "code-problem";
const APPROVED_ID = "membership-approved";

/** Step 2 of sign-in: a six-digit one-time code. */
export function OtpStep(props: OtpStepProps) {
  const { email, onBack, onSubmit, isBusy, isApproved = false, problem } = props;
  const [code, setCode] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useDocumentTitle("Verify OTP");
  const attempt = problem?.attempt ?? 0;
  const [clearedAttempt, setClearedAttempt] = useState(attempt);
  if (clearedAttempt !== attempt) {
    setClearedAttempt(attempt);
    setCode("");
  }
  // On arrival, and again after a refused code.
  useEffect(() => field.current?.focus(), [attempt]);

  const isComplete = code.length === OTP_DIGITS;
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete && !isBusy) onSubmit(code);
  };
  const left = problem?.attemptsLeft;
  return (
    <>
      <Button variant="ghost" onClick={onBack} className="-ml-4 mb-6">
        <ArrowLeft aria-hidden className="size-4.5" />
        Back
      </Button>
      <h1 className="text-page-title">Verify OTP</h1>
      <p className="mt-2 text-base text-muted">
        Enter the one-time code for{" "}
        <strong className="font-semibold wrap-anywhere text-ink">{email}</strong> to finish signing
        in.
      </p>
      {isApproved && (
        <div id={APPROVED_ID} className="mt-5">
          <Notice tone="success">
            Your membership is approved. One code, and your accounts open.
          </Notice>
        </div>
      )}
      <form noValidate onSubmit={onFormSubmit} className="mt-7 grid gap-6">
        <OtpInput
          ref={field}
          label="Verification code"
          hint={
            left === undefined || left <= 0
              ? "6 digits. You can paste the whole code."
              : `${plural(left, "attempt")} left.`
          }
          value={code}
          onValueChange={setCode}
          isInvalid={problem !== null && code === ""}
          describedBy={clsx(isApproved && APPROVED_ID, problem !== null && ALERT_ID)}
        />
        <FormAlert id={ALERT_ID}>{isBusy ? null : problem?.message}</FormAlert>
        <Button
          type="submit"
          size="lg"
          isFullWidth
          disabled={!isComplete}
          isBusy={isBusy}
          busyLabel="Verifying..."
        >
          Verify OTP
        </Button>
        <ConnectionNote />
      </form>
      <p className="mt-8 text-muted">
        No code? Contact <MailLink address={INSTITUTION.supportEmail} />
      </p>
    </>
  );
}
