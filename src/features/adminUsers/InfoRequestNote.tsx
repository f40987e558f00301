import { Notice } from "../../components/ui/StatusBanner";
import { formatDateTime, inOnePiece } from "../../lib/format";
import type { UserDetailData } from "./userDetailData";

type Request = UserDetailData["infoRequests"][number];

/** The questions to the applicant, their answers as they arrive, and why they were rejected. */
export function InfoRequestNote({ user }: { user: UserDetailData }) {
  const { infoRequests, rejectionReason, rejectedAt, status } = user;
  const isAnswerAwaited = status === "pending" || status === "unknown";
  return (
    <>
      {/* Not in the live region: whoever rejected hears that it was done, and an approval is no different. */}
      {rejectionReason !== undefined && (
        <Notice tone="warning">
          <p>
            Rejected{rejectedAt !== undefined && ` on ${inOnePiece(formatDateTime(rejectedAt))}`}
          </p>
          <p className="font-normal wrap-anywhere whitespace-pre-line">{rejectionReason}</p>
        </Notice>
      )}
      <div role="status" className="grid gap-3 empty:hidden">
        {infoRequests.map((request) => (
          <RequestNotice
            key={request.requestId}
            request={request}
            isAnswerAwaited={isAnswerAwaited}
          />
        ))}
      </div>
    </>
  );
}

function RequestNotice({
  request,
  isAnswerAwaited,
}: {
  request: Request;
  /** The person still waits for a decision. */
  isAnswerAwaited: boolean;
}) {
  const { requestedAt, text, answer, answeredAt } = request;
  return (
    <Notice tone={answer === undefined && isAnswerAwaited ? "warning" : "info"}>
      <p>Information requested on {inOnePiece(formatDateTime(requestedAt))}</p>
      <p className="font-normal wrap-anywhere whitespace-pre-line">{text}</p>
      {answer === undefined ? (
        <p className="mt-2 font-normal">
          {isAnswerAwaited
            ? "The applicant has not answered yet."
            : "The decision was made without an answer."}
        </p>
      ) : (
        <>
          <p className="mt-2">
            Answer{answeredAt !== undefined && `, ${inOnePiece(formatDateTime(answeredAt))}`}
          </p>
          <p className="font-normal wrap-anywhere whitespace-pre-line">{answer}</p>
        </>
      )}
    </Notice>
  );
}
