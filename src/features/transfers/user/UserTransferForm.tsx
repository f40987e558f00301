import { MESSAGES } from "#shared/errors";
import type { UserTransferCommand } from "#shared/rules/userTransfer";
import { textFor } from "#shared/texts";
import clsx from "clsx";
import { CircleCheck } from "lucide-react";
import { useEffect, useId, type FormEvent } from "react";
import { AccountSelect } from "../../../components/bank/AccountSelect";
import { Button } from "../../../components/ui/Button";
import { FormAlert } from "../../../components/ui/FormAlert";
import { RefusalAlert } from "../../../components/ui/RefusalAlert";
import { TextInput } from "../../../components/ui/TextInput";
import { useRuledForm } from "../../../hooks/useRuledForm";
import { amountLabel } from "../amountHint";
import { usableCents, type TransferFormProps } from "../panel";
import { AmountAndReference } from "../AmountAndReference";
import { FormFooter } from "../FormFooter";
import { useRecipient, type FindRecipient, type Recipient } from "./useRecipient";

export const USER_DRAFT_KEY = "transfer-user";

const loadRules = () => import("#shared/rules/userTransfer");
type Rules = Awaited<ReturnType<typeof loadRules>>;

const INITIAL = { fromAccount: "Checking", recipientEmail: "", amount: "", reference: "" };

const FIELD_OF = {
  INVALID_RECIPIENT: "recipientEmail",
  INVALID_EMAIL: "recipientEmail",
  OWN_ACCOUNT: "recipientEmail",
  RECIPIENT_NOT_FOUND: "recipientEmail",
  RECIPIENT_ACCOUNT_NOT_FOUND: "recipientEmail",
  INVALID_AMOUNT: "amount",
  INSUFFICIENT_FUNDS: "amount",
} as const;

/** With the recipient's name that was shown. */
export type NamedTransfer = UserTransferCommand & { readonly shownName: string };

interface UserTransferFormProps extends TransferFormProps<NamedTransfer> {
  readonly findRecipient: FindRecipient;
}

/**
 * The green line, or why there is none. The live region exists before its text, and the line has its place: leaving the
 * field by pressing the form's button looks the recipient up, and the button must not move away under the press.
 */
function RecipientLine({
  recipient,
  isRefused,
  alertId,
}: {
  recipient: Recipient;
  isRefused: boolean;
  alertId: string;
}) {
  return (
    <>
      <p
        role="status"
        className={clsx(
          "text-sm font-semibold wrap-anywhere text-pos",
          isRefused ? "empty:absolute" : "min-h-[1lh]",
        )}
      >
        {recipient.status === "found" && (
          <span className="flex min-w-0 items-center gap-1.5">
            <CircleCheck aria-hidden className="size-4 shrink-0" />
            <span className="min-w-0">{textFor("recipientFound", { name: recipient.name })}</span>
          </span>
        )}
      </p>
      <FormAlert id={alertId}>
        {isRefused && recipient.status === "refused" && recipient.message}
      </FormAlert>
    </>
  );
}

/** To another person here: the recipient is verified before money moves. */
export function UserTransferForm(props: UserTransferFormProps) {
  const { accounts, isBusy, disabledReason } = props;
  const { recipient, verify, forget, settled } = useRecipient(props.findRecipient);
  const recipientAlertId = useId();
  const sourceOf = (type: string) => accounts.find((account) => account.type === type);
  const schemaFor =
    (isRecipientVerified: boolean) =>
    ({ userTransferForm }: Rules, { fromAccount }: typeof INITIAL) =>
      userTransferForm({
        availableCents: usableCents(sourceOf(fromAccount), props),
        isRecipientVerified,
      });
  const form = useRuledForm({
    draftKey: USER_DRAFT_KEY,
    initial: INITIAL,
    loadRules,
    schemaOf: schemaFor(recipient.status === "found"),
    fallback: "TRANSFER_FAILED",
    fieldOf: FIELD_OF,
    serverRefusal: props.refusal,
    onEdit: props.onEdit,
  });
  const { values, set, wire } = form;
  const emailWiring = wire("recipientEmail");
  const isFormsRefusal = form.refusal?.code === "INVALID_RECIPIENT";
  // What is no address at all is refused once, by the form or by the line.
  const isRefused =
    recipient.status === "refused" &&
    !(isFormsRefusal && recipient.message === MESSAGES.INVALID_EMAIL);
  const isGone = props.refusal?.code === "RECIPIENT_NOT_FOUND";
  const label = amountLabel(values.amount);

  useEffect(() => {
    // The name found earlier is no longer true, and only what is not known is looked up again.
    if (isGone) forget();
  }, [isGone, forget]);
  useEffect(() => {
    // It was refused as not verified; now there is nothing left to refuse.
    if (recipient.status === "found" && isFormsRefusal) set({});
  });
  const lookUp = async (isAsked: boolean) => {
    if (isAsked && isFormsRefusal) set({});
    verify(values.recipientEmail, isAsked);
    if ((await settled(values.recipientEmail)) !== null && isGone) set({});
  };
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const shownName = await settled(values.recipientEmail);
    const command = await form.submit(schemaFor(shownName !== null));
    // Enter does not leave the field: the name is shown next, and the money waits for another Enter.
    if (shownName === null) void lookUp(false);
    else if (command !== null && (await props.onSubmit({ ...command, shownName }))) {
      form.clear();
      forget();
    }
  };

  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      <AccountSelect label="From Account" accounts={accounts} {...form.input("fromAccount")} />
      <div className="grid gap-2">
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3">
          <TextInput
            label="Recipient Email"
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={values.recipientEmail}
            onChange={(event) => {
              set({ recipientEmail: event.target.value });
              forget();
            }}
            onBlur={() => void lookUp(false)}
            {...emailWiring}
            isInvalid={emailWiring.isInvalid || isRefused}
            describedBy={isRefused ? recipientAlertId : emailWiring.describedBy}
          />
          <Button
            variant="secondary"
            // It is also at work without having been pressed, and the field beside it stays as it is.
            className="min-w-21 [--pressed-width:--spacing(21)]"
            isBusy={recipient.status === "checking"}
            onClick={() => void lookUp(true)}
          >
            Verify
          </Button>
        </div>
        <RecipientLine recipient={recipient} isRefused={isRefused} alertId={recipientAlertId} />
      </div>
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
        <AmountAndReference form={form} source={sourceOf(values.fromAccount)} />
      </div>
      <RefusalAlert {...form.alert} />
      <FormFooter
        note={
          disabledReason ??
          (recipient.status === "found" && label !== undefined
            ? `Sends ${label} to ${recipient.name} from ${values.fromAccount}, right away.`
            : "Money arrives in the recipient's Checking account right away.")
        }
      >
        <Button
          type="submit"
          size="lg"
          isBusy={isBusy}
          busyLabel="Sending..."
          disabled={disabledReason !== undefined}
        >
          Send Money
        </Button>
      </FormFooter>
    </form>
  );
}
