import { api } from "#api";
import type { CodeRefusal, Receipt } from "#shared/answers";
import type { ExternalTransferCommand } from "#shared/rules/externalTransfer";
import { useMutation } from "convex/react";
import { useCallback, useReducer, useRef, useState } from "react";
import { Stepper } from "../../../components/ui/Stepper";
import { useCommand } from "../../../hooks/useCommand";
import { useOfflineReason } from "../../../hooks/useConnection";
import { clearDraft } from "../../../lib/drafts";
import { isOutcomeOpen } from "../../../lib/errorText";
import type { TransferPanelProps } from "../panel";
import { OutcomeDialog } from "../OutcomeDialog";
import { outcomeOf } from "../outcomes";
import { useReportSending } from "../sending";
import { SentLine } from "../SentLine";
import { useTransfer } from "../useTransfer";
import { ExternalCodeForm } from "./ExternalCodeForm";
import { EXTERNAL_DRAFT_KEY, ExternalDetailsForm, type ExternalField } from "./ExternalDetailsForm";
import { externalFlow, EXTERNAL_START, type ExternalStep } from "./externalFlow";
import { SuccessDialog } from "./SuccessDialog";

type Started = { pendingId: string; expiresAt: number; receipt?: Receipt };
type VerifyStep = Extract<ExternalStep, { name: "verify" }>;

const FALLBACK = "TRANSFER_FAILED";

/** The tab "To US Bank": details, code, success for 3 seconds, empty form. */
export function ExternalTransfer({ accounts, isGateClosed }: TransferPanelProps) {
  const startExternal = useMutation(api.transfers.startExternal);
  const confirmExternal = useMutation(api.transfers.confirmExternal);
  const offlineReason = useOfflineReason("offlineMoney");
  const [step, dispatch] = useReducer(externalFlow, EXTERNAL_START);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const [sent, setSent] = useState<Receipt | null>(null);
  const [startAt, setStartAt] = useState<ExternalField>();
  const sentLine = useRef<HTMLDivElement>(null);
  const [wrongCode, setWrongCode] = useState<CodeRefusal>();
  // Going back after a code got no answer reuses the same first step, so that money moves only once.
  const start = useTransfer<ExternalTransferCommand, Started>(
    EXTERNAL_DRAFT_KEY,
    (args) => startExternal(args),
    { keepsKey: true },
  );
  const confirm = useCommand(confirmExternal, { fallback: FALLBACK });
  useReportSending(confirm.isBusy);
  const outcome = start.outcome ?? outcomeOf(confirm.refusal);
  const closeSuccess = useCallback(() => setSent(null), []);

  const finish = (details: ExternalTransferCommand, done: Receipt) => {
    start.settle(details);
    setReceipt(done);
    setSent(done);
  };
  /** Resolves to true if there is nothing left to confirm: an answer to its code was lost, and it was executed. */
  const onStart = async (details: ExternalTransferCommand): Promise<boolean> => {
    setReceipt(null);
    setStartAt(undefined);
    // The answer to another transfer's code does not belong to this one.
    setWrongCode(undefined);
    confirm.clear();
    const started = await start.submit(details);
    if (started === null) return false;
    const { pendingId, expiresAt, receipt: earlier } = started;
    if (earlier === undefined) dispatch({ type: "started", pendingId, expiresAt, details });
    else finish(details, earlier);
    return earlier !== undefined;
  };
  const onConfirm = async ({ pendingId, details }: VerifyStep, code: string): Promise<boolean> => {
    setWrongCode(undefined);
    const answer = await confirm.run({ pendingId, code });
    if (!answer.isOk) return isOutcomeOpen(answer.refusal, FALLBACK);
    if ("ok" in answer.value) {
      setWrongCode(answer.value);
      return false;
    }
    finish(details, answer.value);
    clearDraft(EXTERNAL_DRAFT_KEY);
    dispatch({ type: "done", pendingId });
    return true;
  };
  const inlineMessage =
    wrongCode?.message ??
    (outcomeOf(confirm.refusal) === null ? confirm.refusal?.message : undefined);

  return (
    <>
      <div className="mb-5">
        <Stepper steps={["Details", "Verify"]} current={step.name === "details" ? 0 : 1} />
      </div>
      {step.name === "details" ? (
        <>
          <SentLine receipt={receipt} line={sentLine} />
          <ExternalDetailsForm
            accounts={accounts}
            isGateClosed={isGateClosed}
            isBusy={start.isBusy}
            refusal={start.refusal}
            disabledReason={offlineReason}
            startAt={startAt}
            onEdit={start.clear}
            onSubmit={onStart}
          />
        </>
      ) : (
        <ExternalCodeForm
          details={step.details}
          expiresAt={step.expiresAt}
          isBusy={confirm.isBusy}
          message={inlineMessage}
          attemptsLeft={wrongCode?.attemptsLeft}
          disabledReason={offlineReason}
          onBack={(field) => {
            setStartAt(field);
            dispatch({ type: "back" });
          }}
          onConfirm={(code) => onConfirm(step, code)}
        />
      )}
      <SuccessDialog sent={sent} onClose={closeSuccess} finalFocus={sentLine} />
      <OutcomeDialog
        outcome={outcome}
        onClose={() => {
          start.clear();
          confirm.clear();
          if (step.name !== "details") setStartAt("fromAccount");
          dispatch({ type: "back" });
        }}
      />
    </>
  );
}
