import { useRef, useState, type ReactNode } from "react";
import clsx from "clsx";
import { Check, Hourglass, X } from "lucide-react";
import type { FunctionReturnType } from "convex/server";
import type { api } from "#api";
import { changeTitle } from "#shared/changeTitles";
import { MESSAGES } from "#shared/errors";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { ReasonDialog } from "../../components/ui/ReasonDialog";
import { StatusBanner } from "../../components/ui/StatusBanner";
import type { Acts } from "../../hooks/useActs";
import { useReturnFocus } from "../../hooks/useReturnFocus";
import { formatDateTime, inOnePiece } from "../../lib/format";

type WaitingApproval = FunctionReturnType<typeof api.admin.approvals.list>["page"][number];

export interface ApprovalListProps extends Acts {
  approvals: readonly WaitingApproval[];
  /** Shown while none is waiting. */
  empty?: ReactNode;
  /** Of the list itself. */
  id?: string;
  /** How many of them are shown; by default, all. */
  shownMax?: number;
  /** Each resolves to true if it was done. */
  onApprove: (approvalId: string) => Promise<boolean>;
  onReject: (approvalId: string, reason: string) => Promise<boolean>;
}

type Decision = "approve" | "reject";

interface Question {
  readonly approval: WaitingApproval;
  readonly decision: Decision;
}

/**
 * Changes waiting for a second administrator, each with its decision. Keep it mounted even when empty: a question
 * outlives its change, which someone else may decide meanwhile.
 */
export function ApprovalList({
  approvals,
  empty,
  id,
  shownMax = approvals.length,
  ...props
}: ApprovalListProps) {
  const [asked, setAsked] = useState<Question | null>(null);
  const approval = asked?.approval;
  const list = useRef<HTMLDivElement>(null);
  const { remember, finalFocus } = useReturnFocus(list, approvals);
  const hasLeft = asked !== null && approvals.every(({ _id }) => _id !== asked.approval._id);
  const question = {
    onClose: () => {
      props.clearFailure();
      setAsked(null);
    },
    isBusy: props.isBusy,
    failure: hasLeft && !props.isBusy ? MESSAGES.APPROVAL_DECIDED : props.failure,
    description: approval && <ChangeText approval={approval} />,
    finalFocus,
  };
  return (
    <>
      <StatusBanner>{props.done}</StatusBanner>
      {/* It takes the focus when the last change leaves, and no room without one. */}
      <div
        ref={list}
        id={id}
        tabIndex={-1}
        role="group"
        aria-label="Waiting changes"
        className="empty:absolute"
      >
        {approvals.length === 0 ? (
          empty
        ) : (
          <ApprovalCards
            approvals={approvals.slice(0, shownMax)}
            onAsk={(question, button) => {
              remember(button);
              setAsked(question);
            }}
          />
        )}
      </div>
      <ConfirmDialog
        {...question}
        isOpen={asked?.decision === "approve"}
        onConfirm={async () => asked !== null && props.onApprove(asked.approval._id)}
        title="Approve this change?"
        confirmLabel="Approve change"
        busyLabel="Approving..."
        variant="primary"
      />
      <ReasonDialog
        {...question}
        draftKey={`refusal-${approval?._id ?? ""}`}
        isOpen={asked?.decision === "reject"}
        onConfirm={async (reason) => asked !== null && props.onReject(asked.approval._id, reason)}
        title={approval?.isOwn ? "Withdraw this change" : "Refuse this change"}
        hint="Kept in the audit log."
        confirmLabel={rejectLabel(approval)}
      />
    </>
  );
}

function ApprovalCards({
  approvals,
  onAsk,
}: {
  approvals: readonly WaitingApproval[];
  onAsk: (question: Question, button: HTMLElement) => void;
}) {
  return (
    <ul className="grid grid-cols-1 gap-4">
      {approvals.map((approval) => (
        <li key={approval._id}>
          <ApprovalCard
            approval={approval}
            onAsk={(decision, button) => onAsk({ approval, decision }, button)}
          />
        </li>
      ))}
    </ul>
  );
}

const titleOf = ({ kind, targetLabel }: WaitingApproval): string => changeTitle(kind, targetLabel);

function rejectLabel(approval: WaitingApproval | undefined): string {
  return approval?.isOwn ? "Withdraw change" : "Refuse change";
}

function ApprovalCard({
  approval,
  onAsk,
}: {
  approval: WaitingApproval;
  onAsk: (decision: Decision, button: HTMLElement) => void;
}) {
  const { lines, requestedBy, requestedAt, isOwn } = approval;
  const isOthers = approval.isAboutReader && !isOwn;
  return (
    <Card
      title={titleOf(approval)}
      lead={
        <span className="flex gap-1.5">
          <Hourglass aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            Requested by {requestedBy} on {inOnePiece(formatDateTime(requestedAt))}.{" "}
            {isOwn && "Another administrator has to approve it."}
            {isOthers && "This is about you, so another administrator decides."}
            {!approval.hasDecider &&
              " Nobody else can at the moment: add another administrator first, or ask whoever runs the server."}
          </span>
        </span>
      }
      actions={
        !isOthers && (
          <>
            <Button
              variant="dangerGhost"
              size="sm"
              className={clsx("max-sm:-ml-3", isOwn && "sm:-mr-3")}
              onClick={(event) => onAsk("reject", event.currentTarget)}
            >
              <X aria-hidden className="size-4" />
              {rejectLabel(approval)}
            </Button>
            {!isOwn && (
              <Button size="sm" onClick={(event) => onAsk("approve", event.currentTarget)}>
                <Check aria-hidden className="size-4" />
                Approve change
              </Button>
            )}
          </>
        )
      }
    >
      <ChangeLines lines={lines} />
    </Card>
  );
}

/** In a question. Its lines scroll, so that many do not push the buttons out of the dialog. */
function ChangeText({ approval }: { approval: WaitingApproval }) {
  return (
    <>
      <p className="mb-1.5 font-semibold text-ink">{titleOf(approval)}</p>
      {/* Without a name: it would be read out in place of the lines. */}
      <div
        role="group"
        tabIndex={0}
        className="shade-more max-h-[35dvh] overflow-y-auto rounded-sm [--surface:var(--raised)]"
      >
        <ChangeLines lines={approval.lines} />
      </div>
    </>
  );
}

function ChangeLines({ lines }: Pick<WaitingApproval, "lines">) {
  return (
    <ul className="num divide-y divide-line text-sm">
      {lines.map((line, index) => (
        <li key={index} className="py-1.5 wrap-anywhere">
          {line}
        </li>
      ))}
    </ul>
  );
}
