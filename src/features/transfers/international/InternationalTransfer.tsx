import { api } from "#api";
import type { Receipt } from "#shared/answers";
import type { InternationalTransferCommand } from "#shared/rules/internationalTransfer";
import { useMutation } from "convex/react";
import { useReducer, useRef, useState } from "react";
import { Stepper } from "../../../components/ui/Stepper";
import { useOfflineReason } from "../../../hooks/useConnection";
import { clearDraft } from "../../../lib/drafts";
import type { TransferPanelProps } from "../panel";
import { OutcomeDialog } from "../OutcomeDialog";
import { SentLine } from "../SentLine";
import { useTransfer } from "../useTransfer";
import {
  INTERNATIONAL_DRAFT_KEY,
  InternationalDetailsForm,
  type InternationalField,
} from "./InternationalDetailsForm";
import {
  internationalFlow,
  type InternationalEvent,
  type InternationalStep,
} from "./internationalFlow";
import { ConfirmStep, NoticeStep } from "./ReviewSteps";

const STEPS = ["Details", "Review", "Confirm"] as const;
const STEP_NAMES = ["details", "notice", "confirm"] as const;

type Step = InternationalStep<InternationalTransferCommand>;
type Event = InternationalEvent<InternationalTransferCommand>;

/** The tab "International": details, notice with summary, confirmation, empty form. */
export function InternationalTransfer({ accounts, isGateClosed }: TransferPanelProps) {
  const send = useMutation(api.transfers.submit);
  const offlineReason = useOfflineReason("offlineMoney");
  const [step, dispatch] = useReducer<Step, [Event]>(internationalFlow, { name: "details" });
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const [startAt, setStartAt] = useState<InternationalField>();
  const sentLine = useRef<HTMLDivElement>(null);
  const transfer = useTransfer(
    INTERNATIONAL_DRAFT_KEY,
    (args: InternationalTransferCommand & { requestKey: string }) =>
      send({ ...args, transferType: "international" }),
  );
  const onConfirm = async (command: InternationalTransferCommand) => {
    const done = await transfer.submit(command);
    if (done === null) return;
    clearDraft(INTERNATIONAL_DRAFT_KEY);
    setReceipt(done);
    dispatch({ type: "done", command });
  };
  return (
    <>
      <div className="mb-5">
        <Stepper steps={STEPS} current={STEP_NAMES.indexOf(step.name)} />
      </div>
      {step.name === "details" && (
        <>
          <SentLine receipt={receipt} line={sentLine} />
          <InternationalDetailsForm
            accounts={accounts}
            isGateClosed={isGateClosed}
            isBusy={false}
            refusal={null}
            disabledReason={offlineReason}
            startAt={startAt}
            onEdit={() => setReceipt(null)}
            onSubmit={async (command) => {
              setReceipt(null);
              setStartAt(undefined);
              dispatch({ type: "reviewed", command });
              // Nothing is sent yet: the form keeps what was typed.
              return false;
            }}
          />
        </>
      )}
      {step.name === "notice" && (
        <NoticeStep
          command={step.command}
          onBack={(field) => {
            setStartAt(field);
            dispatch({ type: "back" });
          }}
          onContinue={() => dispatch({ type: "continued" })}
        />
      )}
      {step.name === "confirm" && (
        <ConfirmStep
          command={step.command}
          isBusy={transfer.isBusy}
          message={transfer.refusal?.message}
          disabledReason={offlineReason}
          onBack={() => {
            transfer.clear();
            dispatch({ type: "back" });
          }}
          onConfirm={() => void onConfirm(step.command)}
        />
      )}
      <OutcomeDialog
        outcome={transfer.outcome}
        onClose={() => {
          transfer.clear();
          if (step.name !== "details") setStartAt("fromAccount");
          dispatch({ type: "edit" });
        }}
      />
    </>
  );
}
