import { Notice } from "../../components/ui/StatusBanner";
import { formatDateTime } from "../../lib/format";
import type { UserDetailData } from "./userDetail";

/** The open question to the applicant, their answer as it arrives, or why they were rejected. */
export function InfoRequestNote({ user }: { user: UserDetailData }) {
  const { infoRequest, rejectionReason, rejectedAt } = user;
  return (
    <div role="status" className="grid gap-3 empty:hidden">
      {rejectionReason !== undefined && (
        <Notice tone="warning">
          <p>Rejected{rejectedAt !== undefined && ` on ${formatDateTime(rejectedAt)}`}</p>
          <p className="font-normal whitespace-pre-line">{rejectionReason}</p>
        </Notice>
      )}
      {infoRequest !== undefined && (
        <Notice tone={infoRequest.answer === undefined ? "warning" : "info"}>
          <p>Information requested on {formatDateTime(infoRequest.requestedAt)}</p>
          <p className="font-normal whitespace-pre-line">{infoRequest.text}</p>
          {infoRequest.answer === undefined ? (
            <p className="mt-2 font-normal">The applicant has not answered yet.</p>
          ) : (
            <>
              <p className="mt-2">
                Answer
                {infoRequest.answeredAt !== undefined &&
                  `, ${formatDateTime(infoRequest.answeredAt)}`}
              </p>
              <p className="font-normal whitespace-pre-line">{infoRequest.answer}</p>
            </>
          )}
        </Notice>
      )}
    </div>
  );
}
