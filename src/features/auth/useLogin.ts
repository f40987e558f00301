import { useEffect, useState } from "react";
import { useAuthActions } from "@convex-dev/auth/react";
import { useAction, useMutation } from "convex/react";
import { api } from "#api";
import { useViewer } from "../../lib/convexViewer";
import { messageFor } from "#shared/errors";
import { isConnectionTrouble, isOutcomeOpen } from "../../lib/errorText";
import { markNavigated } from "../../lib/navigation";
import { useCommand } from "../../hooks/useCommand";
import { useEndSession } from "../../hooks/useEndSession";
import type { PasswordChange } from "../../hooks/usePasswordForm";
import { useSignOut } from "./useSignOut";

type LoginStep =
  | { name: "credentials" }
  | { name: "otp"; email: string }
  | { name: "newPassword"; userId: string; email: string; minLength: number }
  /** Both steps are done: go to `home` if that happened here, otherwise offer it. */
  | { name: "done"; userId: string; displayName: string; home: string; isFresh: boolean };

interface CodeProblem {
  message: string;
  attempt: number;
  attemptsLeft?: number | undefined;
}

/** The two steps of sign-in. What is shown follows from the session itself, so a reload keeps it. */
export function useLogin() {
  const viewer = useViewer();
  const { signIn } = useAuthActions();
  const endSession = useEndSession();
  const signOutHere = useSignOut();
  const verifyLogin = useMutation(api.otp.verifyLogin);
  const changePassword = useAction(api.profile.changePassword);
  const [email, setEmail] = useState("");
  const [isFresh, setIsFresh] = useState(false);
  const [isAwaitingViewer, setIsAwaitingViewer] = useState(false);
  const [seenViewer, setSeenViewer] = useState(viewer);
  const [codeProblem, setCodeProblem] = useState<CodeProblem | null>(null);
  const [expelled, setExpelled] = useState<string | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const [hasEnded, setHasEnded] = useState(false);

  const credentials = useCommand(
    (password: string) => signIn("password", { flow: "signIn", email: email.trim(), password }),
    { fallback: "INVALID_CREDENTIALS" },
  );
  const code = useCommand((digits: string) => verifyLogin({ code: digits }), {
    fallback: "OTP_FAILED",
  });
  const password = useCommand(changePassword, { fallback: "SAVE_FAILED" });

  // Signed in, but the live query has not yet said as whom, or that the session has ended meanwhile.
  if (isAwaitingViewer && viewer) setIsAwaitingViewer(false);
  if (viewer !== seenViewer) {
    setSeenViewer(viewer);
    if (seenViewer && viewer === null) setHasEnded(!isLeaving);
    if (isAwaitingViewer && viewer === null) {
      setIsAwaitingViewer(false);
      setExpelled(messageFor("INVALID_CREDENTIALS"));
    }
  }

  const submitCredentials = async (secret: string) => {
    setExpelled(null);
    setHasEnded(false);
    setIsLeaving(false);
    const outcome = await credentials.run(secret);
    if (!outcome.isOk) return;
    // What the later steps refused was another sign-in's.
    setCodeProblem(null);
    password.clear();
    setIsFresh(true);
    setIsAwaitingViewer(outcome.value.signingIn);
  };
  const submitCode = async (digits: string) => {
    setIsFresh(true);
    const outcome = await code.run(digits);
    const attempt = (codeProblem?.attempt ?? 0) + 1;
    if (!outcome.isOk) {
      const { message } = outcome.refusal;
      // The code was not judged: it stays for the next try.
      if (isOutcomeOpen(outcome.refusal, "OTP_FAILED"))
        setCodeProblem({ attempt: 0, ...codeProblem, message });
      else setCodeProblem({ message, attempt });
    } else if (!outcome.value.ok) {
      const { message, attemptsLeft } = outcome.value;
      setCodeProblem({ message, attempt, attemptsLeft });
      // The server has ended the session: back to step 1, with the same sentence.
      if (attemptsLeft === 0) setExpelled(message);
    }
  };
  const submitPassword = async (passwords: PasswordChange) => {
    setIsFresh(true);
    await password.run(passwords);
  };
  /** Step 1 comes next, with this address. */
  const startAgain = () => {
    setIsLeaving(true);
    if (viewer) setEmail(viewer.email);
  };
  /** Abandons a sign-in. Drafts stay for the same person, who may try again. */
  const back = async () => {
    startAgain();
    await endSession();
  };
  /** Signs out at the person's own request: an ended session is reported elsewhere. */
  const signOut = async () => {
    startAgain();
    await signOutHere();
  };

  let step: LoginStep = { name: "credentials" };
  if (viewer?.place === "otp") step = { name: "otp", email: viewer.email };
  else if (viewer?.place === "mustChangePassword") {
    const { userId, email: address, passwordMinLength: minLength } = viewer;
    step = { name: "newPassword", userId, email: address, minLength };
  } else if (viewer) {
    const { userId, name: displayName, home } = viewer;
    step = { name: "done", userId, displayName, home, isFresh };
  }

  // The heading of whichever step follows a later one takes the focus.
  useEffect(() => (step.name === "credentials" ? undefined : markNavigated), [step.name]);

  return {
    /** `undefined` while the session of this tab is still being looked up. */
    isKnown: viewer !== undefined,
    step,
    /** The session that was there ended by itself, or by somebody else's act. */
    hasEnded: hasEnded && expelled === null,
    email,
    setEmail,
    credentials: {
      submit: submitCredentials,
      isBusy: credentials.isBusy || isAwaitingViewer,
      problem: credentials.refusal?.message ?? expelled,
      isUnjudged: isConnectionTrouble(credentials.refusal),
    },
    code: { submit: submitCode, isBusy: code.isBusy, problem: codeProblem },
    newPassword: {
      submit: submitPassword,
      isBusy: password.isBusy,
      refusal: password.refusal,
      clear: password.clear,
    },
    back,
    signOut,
  };
}
