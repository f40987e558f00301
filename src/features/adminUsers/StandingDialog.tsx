import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { ReasonDialog } from "../../components/ui/ReasonDialog";
import type { ActState } from "../../hooks/useActs";

/** A wait after too many wrong tries, and what was wrong with them: "wrong passwords". */
export type Lock = { readonly untilMs: number; readonly by: string };

/** What questions are about, and the acts that they confirm: each resolves to true if it was done. */
export interface StandingQuestions extends ActState {
  userId: string;
  role: string;
  /** Set while sign-in is disabled. */
  disabledAt: number | undefined;
  /** Set while an enabled person has to wait. */
  lock: Lock | null;
  onSetRole: (role: "user" | "admin") => Promise<boolean>;
  onSetDisabled: (isDisabled: boolean, reason: string) => Promise<boolean>;
  onUnlock: (reason: string) => Promise<boolean>;
  onResetPassword: (reason: string) => Promise<boolean>;
}

/** What is asked, for what the person's state was then: it may change meanwhile. */
export type Question =
  | { readonly about: "role"; readonly next: "user" | "admin" }
  | { readonly about: "password" }
  | { readonly about: "unlock" }
  | { readonly about: "signIn"; readonly isDisabling: boolean };

type DialogProps = StandingQuestions & { question: Question; isOpen: boolean; onClose: () => void };

/** The one question that is open, or closing. */
export function StandingDialog({ question, isOpen, onClose, ...props }: DialogProps) {
  const { isBusy, failure } = props;
  const overtaken = isOpen && !isBusy ? overtakenText(question, props) : null;
  const frame = { isOpen, onClose, isBusy, failure: failure ?? overtaken };
  if (question.about !== "role") {
    return <ReasonDialog key={question.about} {...frame} {...reasonQuestion(question, props)} />;
  }
  const isPromotion = question.next === "admin";
  const verb = isPromotion ? "Make administrator" : "Make member";
  return (
    <ConfirmDialog
      {...frame}
      onConfirm={() => props.onSetRole(question.next)}
      title={`${verb}?`}
      description={
        isPromotion
          ? "This person gets every power of the back office, over money too."
          : "This person loses every power of the back office at once."
      }
      confirmLabel={verb}
    />
  );
}

/** What is said when nothing is left to do, because of somebody else or the time. */
function overtakenText(
  question: Question,
  { role, lock, disabledAt }: StandingQuestions,
): string | null {
  switch (question.about) {
    case "role":
      return role === question.next ? "Someone has changed the role in the meantime." : null;
    case "password":
      return null;
    case "unlock":
      return lock === null ? "The wait has ended in the meantime." : null;
    case "signIn": {
      const isDone = (disabledAt !== undefined) === question.isDisabling;
      const state = question.isDisabling ? "disabled" : "enabled";
      return isDone ? `Sign-in has been ${state} in the meantime.` : null;
    }
  }
}

const VERIFIED_HINT = "How you verified who asked. Kept in the audit log.";

/** What is asked with a reason. */
function reasonQuestion(
  question: Exclude<Question, { about: "role" }>,
  { userId, disabledAt, onResetPassword, onUnlock, onSetDisabled }: StandingQuestions,
) {
  switch (question.about) {
    case "password": {
      const use =
        disabledAt === undefined
          ? "signs in with it and chooses their own"
          : "to sign in with once their sign-in is enabled again: it stays disabled";
      return {
        draftKey: `password-reset-${userId}`,
        onConfirm: onResetPassword,
        title: "Reset password",
        description: `The person gets a one-time password from you, ${use}. Their sessions end, and they are told by email.`,
        hint: VERIFIED_HINT,
        confirmLabel: "Reset password",
        variant: "primary",
      } as const;
    }
    case "unlock":
      return {
        draftKey: `unlock-${userId}`,
        onConfirm: onUnlock,
        title: "Unlock sign-in",
        description:
          "The person can try again at once, and is told by email. Wrong tries go on counting until a right one.",
        hint: VERIFIED_HINT,
        confirmLabel: "Unlock sign-in",
        variant: "primary",
      } as const;
    case "signIn": {
      const { isDisabling } = question;
      const verb = isDisabling ? "Disable sign-in" : "Enable sign-in";
      return {
        draftKey: `sign-in-${userId}`,
        onConfirm: (reason: string) => onSetDisabled(isDisabling, reason),
        title: verb,
        description: isDisabling
          ? "All of this person's sessions end at once, and they are told by email. Money sent to them still arrives."
          : "The person can sign in again, and failed attempts are cleared.",
        hint: "Kept in the audit log.",
        confirmLabel: verb,
        variant: isDisabling ? "danger" : "primary",
      } as const;
    }
  }
}
