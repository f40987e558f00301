import { Suspense, useEffect } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { SplitLayout } from "../../components/layout/SplitLayout";
import { PageSpinner } from "../../components/ui/Spinner";
import { Notice } from "../../components/ui/StatusBanner";
import { INSTITUTION } from "#shared/institution";
import { CredentialsStep } from "../../features/auth/CredentialsStep";
import { SignedInStep } from "../../features/auth/SignedInStep";
import { useLogin } from "../../features/auth/useLogin";
import { useSharedSignOut } from "../../features/session/useSharedSignOut";
import { readLoginState } from "../loginState";
import { useStoredSession } from "../../lib/convexSession";
import { lazyPart } from "../../lib/lazyPart";

const OtpStep = lazyPart(() => import("../../features/auth/OtpStep"), "OtpStep");
// Few people ever see it.
const NewPasswordStep = lazyPart(
  () => import("../../features/auth/NewPasswordStep"),
  "NewPasswordStep",
);

const LOADING = "Loading your account";

const ADVICE = {
  credentials: {
    heading: "We never ask for your password by phone, text or email.",
    lead: `If someone asks for it, hang up and contact us ${INSTITUTION.supportHours}.`,
  },
  code: {
    heading: "We will never call you to ask for this code.",
    lead: `If someone asks for it, hang up and contact us ${INSTITUTION.supportHours}.`,
  },
} as const;

/** Two-step sign-in (spec section 2 "Login"). */
export function LoginRoute() {
  const login = useLogin();
  const { step } = login;
  // Nearly everyone needs it next, so it is fetched while the first step is filled in.
  useEffect(() => void OtpStep.preload(), []);
  // Not before the code: a sign-in still under way is not a session to share.
  const signOut = useSharedSignOut("userId" in step ? step.userId : undefined, login.signOut);
  const arrival = readLoginState(useLocation().state);
  // Decides between form and spinner before the session is known; at build time, the form.
  const mayBeSignedIn = useStoredSession();

  if (step.name === "done" && (step.isFresh || step.home === "/pending-approval")) {
    const isAllowed = !arrival.from?.startsWith("/admin") || step.home === "/admin";
    const isReturning = step.isFresh && step.userId === arrival.userId && isAllowed;
    const target = isReturning ? (arrival.from ?? step.home) : step.home;
    return (
      <>
        <Navigate to={target} replace />
        {/* What is there is shown until the next page's files have arrived. */}
        <PageSpinner label={LOADING} />
      </>
    );
  }
  if (!login.isKnown && mayBeSignedIn) return <PageSpinner label={LOADING} />;
  return (
    <SplitLayout {...(step.name === "otp" ? ADVICE.code : ADVICE.credentials)}>
      <Suspense fallback={<PageSpinner label={LOADING} />}>
        {step.name === "otp" && (
          <OtpStep
            email={step.email}
            onBack={() => void login.back()}
            onSubmit={(code) => void login.code.submit(code)}
            isBusy={login.code.isBusy}
            problem={login.code.problem}
            isApproved={arrival.isApproved === true}
          />
        )}
        {step.name === "newPassword" && (
          <NewPasswordStep
            email={step.email}
            onSubmit={(passwords) => void login.newPassword.submit(passwords)}
            onSignOut={() => void signOut()}
            isBusy={login.newPassword.isBusy}
            refusal={login.newPassword.refusal}
            minLength={step.minLength}
            onEdit={login.newPassword.clear}
          />
        )}
      </Suspense>
      {step.name === "done" && (
        <SignedInStep name={step.displayName} home={step.home} onSignOut={() => void signOut()} />
      )}
      {step.name === "credentials" && (
        <CredentialsStep
          email={login.email}
          onEmailChange={login.setEmail}
          onSubmit={(password) => void login.credentials.submit(password)}
          isBusy={login.credentials.isBusy}
          problem={login.credentials.problem}
          isUnjudged={login.credentials.isUnjudged}
          notice={
            (arrival.hasEnded === true || login.hasEnded) && (
              <Notice tone="warning" className="mt-5">
                Your session has ended. Sign in to continue where you were.
              </Notice>
            )
          }
        />
      )}
    </SplitLayout>
  );
}
