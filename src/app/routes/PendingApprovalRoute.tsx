import { useCallback, useState } from "react";
import { Navigate } from "react-router-dom";
import { PageContainer } from "../../components/layout/PageContainer";
import { StatusLayout } from "../../components/layout/StatusLayout";
import { Button } from "../../components/ui/Button";
import { ButtonLink } from "../../components/ui/ButtonLink";
import { ConnectionBanner } from "../../components/ui/ConnectionBanner";
import { PageSpinner } from "../../components/ui/Spinner";
import { useSignOut } from "../../features/auth/useSignOut";
import { InformationRequest } from "../../features/registration/InformationRequest";
import { PendingApproval } from "../../features/registration/PendingApproval";
import { RejectedApplication } from "../../features/registration/RejectedApplication";
import { useRegistrationStatus } from "../../features/registration/useRegistrationStatus";
import { useSharedSignOut } from "../../features/session/useSharedSignOut";
import { useFocusHandover } from "../../hooks/useFocusHandover";
import { useViewer } from "../../lib/convexViewer";
import { formatDateTime, inOnePiece } from "../../lib/format";
import { PATHS } from "../../lib/paths";
import type { LoginState } from "../loginState";

/**
 * Where an applicant waits, and learns of a decision while the page is open: approval leads on to the next step of
 * sign-in, a rejection shows its reason.
 */
export function PendingApprovalRoute() {
  const viewer = useViewer();
  const [applicant, setApplicant] = useState<string>();
  const [isLeaving, setIsLeaving] = useState(false);
  const signOutHere = useSignOut();
  const signOut = useSharedSignOut(
    viewer?.userId,
    useCallback(() => {
      setIsLeaving(true);
      return signOutHere();
    }, [signOutHere]),
  );
  const isApplicant = viewer?.place === "pending" || viewer?.place === "rejected";
  if (isApplicant && applicant !== viewer.userId) setApplicant(viewer.userId);
  const status = useRegistrationStatus(isApplicant);
  // A rejection takes the form away in which an answer may be half typed.
  useFocusHandover(viewer?.place, (before) =>
    before === "pending" ? document.querySelector<HTMLElement>("h1") : null,
  );

  if (viewer === undefined) return <PageSpinner label="Loading your account" />;
  if (viewer && !isApplicant) {
    const arrival: LoginState = viewer.place === "mustChangePassword" ? {} : { isApproved: true };
    return <Navigate to={viewer.home} replace state={arrival} />;
  }
  // What visitors see here is not about this person, who may have been rejected.
  if (viewer === null && applicant !== undefined) {
    const ended: LoginState = { hasEnded: true, from: PATHS.pendingApproval, userId: applicant };
    return <Navigate to={PATHS.login} replace state={isLeaving ? {} : ended} />;
  }

  const { registration } = status;
  return (
    <>
      <ConnectionBanner outdated="This page" />
      <StatusLayout
        actions={
          viewer ? (
            <Button variant="ghost" className="-mr-4" onClick={() => void signOut()}>
              Sign out
            </Button>
          ) : (
            <ButtonLink to={PATHS.login} variant="ghost" className="-mr-4">
              Sign in
            </ButtonLink>
          )
        }
      >
        <PageContainer width="form">
          {viewer?.place === "rejected" ? (
            <RejectedApplication
              isFormerMember={viewer.isFormerMember === true}
              reason={registration?.rejectionReason ?? viewer.rejectionReason}
            />
          ) : (
            <PendingApproval
              submittedText={
                registration
                  ? `Submitted on ${inOnePiece(formatDateTime(registration.submittedAt))} for ${viewer?.email ?? ""}`
                  : undefined
              }
            >
              {viewer && registration?.infoRequest && (
                <InformationRequest
                  draftKey={`answer-${registration.infoRequest.requestId}`}
                  request={registration.infoRequest}
                  onAnswer={status.answer}
                  isBusy={status.isAnswering}
                  problem={status.problem}
                  onEdit={status.clearProblem}
                />
              )}
            </PendingApproval>
          )}
        </PageContainer>
      </StatusLayout>
    </>
  );
}
