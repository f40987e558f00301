import { useState } from "react";
import { useAuthActions } from "@convex-dev/auth/react";
import { useConvexAuth } from "convex/react";
import { addDays, dateOf } from "#shared/dates";
import type { ErrorCode } from "#shared/errors";
import { useCommand } from "../../hooks/useCommand";
import { useDraft } from "../../hooks/useDraft";
import { useEndSession } from "../../hooks/useEndSession";
import { clearDraft, readDraft, writeDraft } from "../../lib/drafts";
import { refusalOf, type Refusal } from "../../lib/errorText";
import { typedDate } from "../../lib/formText";
import { EMPTY_APPLICATION, EMPTY_PASSWORDS, fieldIdOf, type FieldName } from "./fields";
import type { ApplicationProblem } from "./problems";

/** Rules and their tables are in their own chunk, fetched while the form is being filled in. */
const loadRules = async () => {
  const [problems, signup, password] = await Promise.all([
    import("./problems"),
    import("#shared/rules/signup"),
    import("#shared/rules/password"),
  ]);
  return {
    findProblems: problems.findProblems,
    applicationOf: signup.applicationOf,
    facts: password.SPECIFIED_PASSWORD_FACTS,
  };
};

/**
 * Whose application was sent from this tab and got no answer, so that it may have arrived: the client does not send
 * actions again. Kept like a draft, because the page may be loaded anew before the answer.
 */
const UNANSWERED = "application-unanswered";
const NOBODY = { email: "" };

/** The field a server's refusal belongs to. */
const FIELD_OF_CODE: Partial<Record<ErrorCode, FieldName>> = {
  EMAIL_TAKEN: "email",
  INVALID_EMAIL_FORMAT: "email",
  INVALID_EMAIL: "email",
  WEAK_PASSWORD: "password",
  PASSWORD_TOO_SHORT: "password",
  PASSWORD_TOO_LONG: "password",
  PASSWORD_TOO_COMMON: "password",
  INVALID_DATE_OF_BIRTH: "dateOfBirth",
};

function problemOf({ code, message }: Refusal): ApplicationProblem {
  return { field: FIELD_OF_CODE[code] ?? null, code, message };
}

/** State of the application form; calls `onSubmitted` once the server has stored all of it. */
export function useRegistration(onSubmitted: () => void) {
  const [values, setValues, clearValues] = useDraft("application", EMPTY_APPLICATION);
  const [passwords, setPasswords] = useState(EMPTY_PASSWORDS);
  const [problems, setProblems] = useState<readonly ApplicationProblem[]>([]);
  const [attempt, setAttempt] = useState(0);
  /** The policy may ask for more than the hint says; visitors hear of it only when refused. */
  const [passwordRule, setPasswordRule] = useState<string>();
  const { signIn } = useAuthActions();
  const { isAuthenticated } = useConvexAuth();
  const endSession = useEndSession();
  const todayIso = dateOf(useState(() => Date.now())[0]);

  const submission = useCommand(
    async () => {
      const { findProblems, applicationOf, facts } = await loadRules();
      const dateOfBirth = typedDate(fieldIdOf("dateOfBirth"), values.dateOfBirth);
      const draft = { ...values, ...passwords, dateOfBirth };
      const found = findProblems(draft, { ...facts, todayIso });
      if (found.length > 0) return found;
      const { email, password, confirmPassword: _repeated, ...application } = draft;
      // The server would end it with the sign-up, and hearing of that would erase the new session, too.
      if (isAuthenticated) await endSession();
      const credentials = { email: email.trim(), password };
      const mayHaveArrived = readDraft(UNANSWERED, NOBODY).email === credentials.email;
      writeDraft(UNANSWERED, { email: credentials.email });
      try {
        const answers = { application: applicationOf(application) };
        await signIn("password", { flow: "signUp", ...credentials, ...answers });
      } catch (error) {
        const { code } = refusalOf(error, "SIGNUP_FAILED");
        if (code !== "CONNECTION_LOST" && !mayHaveArrived) clearDraft(UNANSWERED);
        if (code !== "EMAIL_TAKEN" || !mayHaveArrived) throw error;
        // Taken by this very application, if its password opens it.
        await signIn("password", { flow: "signIn", ...credentials }).catch(() => {
          throw error;
        });
      }
      clearDraft(UNANSWERED);
      return [];
    },
    { fallback: "SIGNUP_FAILED" },
  );

  const submit = async () => {
    const outcome = await submission.run();
    const found = outcome.isOk ? outcome.value : [problemOf(outcome.refusal)];
    if (!outcome.isOk && outcome.refusal.code === "PASSWORD_TOO_SHORT") {
      setPasswordRule(outcome.refusal.message);
    }
    setProblems(found);
    setAttempt(attempt + 1);
    if (found.length > 0) return;
    clearValues();
    onSubmitted();
  };
  const change = (field: FieldName, value: string) => {
    // If it does not arrive now, submitting requests it again and reports a failure.
    loadRules().catch(() => undefined);
    if (field === "password" || field === "confirmPassword") {
      setPasswords((before) => ({ ...before, [field]: value }));
    } else {
      // The browser fills in many fields at once: each must build on the one before.
      setValues((before) => ({ ...before, [field]: value }));
    }
    // A corrected field is unmarked at once; the others wait for the next submission.
    setProblems((before) => before.filter((problem) => problem.field !== field));
  };
  /** For whoever leaves the tab to somebody else. */
  const clear = () => {
    clearValues();
    clearDraft(UNANSWERED);
    setPasswords(EMPTY_PASSWORDS);
    setProblems([]);
  };
  return {
    values: { ...values, ...passwords },
    change,
    clear,
    submit,
    isBusy: submission.isBusy,
    problems,
    attempt,
    passwordRule,
    maxBirthDate: addDays(todayIso, -1),
  };
}
