import { api } from "#api";
import { OTP_DIGITS } from "#shared/limits";
import type { CardAction } from "#shared/validators";
import { useMutation } from "convex/react";
import { useId, useState, type FormEvent } from "react";
import { Button } from "../../components/ui/Button";
import { Dialog } from "../../components/ui/Dialog";
import { FormAlert } from "../../components/ui/FormAlert";
import { OtpInput } from "../../components/ui/OtpInput";
import { useCommand } from "../../hooks/useCommand";

interface CardCodeDialogProps {
  /** Null: closed. */
  readonly action: CardAction | null;
  readonly cardId: string;
  readonly onClose: () => void;
}

/** Asks for a code before a card is changed; the service answers as spec section 8 says. */
export function CardCodeDialog({ action, cardId, onClose }: CardCodeDialogProps) {
  const [code, setCode] = useState("");
  const [message, setMessage] = useState<string>();
  const formId = useId();
  const verify = useCommand(useMutation(api.cards.verifyCode), {
    fallback: "CARD_SERVICE_UNAVAILABLE",
  });
  const close = () => {
    setCode("");
    setMessage(undefined);
    onClose();
  };
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (action === null || code.length !== OTP_DIGITS) return;
    setMessage(undefined);
    const answer = await verify.run({ cardId, action, code });
    setMessage(answer.isOk ? answer.value.message : answer.refusal.message);
  };
  return (
    <Dialog
      isOpen={action !== null}
      onClose={close}
      title={action ?? ""}
      description="Enter a 6-digit code to continue."
      isBusy={verify.isBusy}
      footer={
        <>
          <Button variant="secondary" disabled={verify.isBusy} onClick={close}>
            Back
          </Button>
          <Button
            type="submit"
            form={formId}
            isBusy={verify.isBusy}
            busyLabel="Verifying..."
            disabled={code.length !== OTP_DIGITS}
          >
            Verify
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => void onSubmit(event)}
        className="grid gap-4"
      >
        <OtpInput
          label="Verification code"
          value={code}
          onValueChange={(digits) => {
            setCode(digits);
            setMessage(undefined);
          }}
          describedBy={message === undefined ? undefined : `${formId}-alert`}
        />
        <FormAlert id={`${formId}-alert`}>{message}</FormAlert>
      </form>
    </Dialog>
  );
}
