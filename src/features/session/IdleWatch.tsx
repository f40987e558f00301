import { useEffect } from "react";
import { AlertDialog, loadDialogs } from "../../components/ui/Dialog";
import { Button } from "../../components/ui/Button";
import { clockText } from "./idle";
import { useIdle } from "./useIdle";

/** Late enough not to slow down the first view. */
const LOAD_DIALOGS_AFTER_MS = 2_000;

interface IdleWatchProps {
  userId: string;
  idleTimeoutMs: number;
  /** Called once when the time is over. */
  onOver: () => void;
  /** Called when the person chooses to sign out. */
  onSignOut: () => void;
}

/** Tells when a session without activity is over, after a warning in every tab. Typed data stays as a draft. */
export function IdleWatch({ userId, idleTimeoutMs, onOver, onSignOut }: IdleWatchProps) {
  const { state, stay } = useIdle(userId, idleTimeoutMs, onOver);
  // The warning comes much later, when there may be no connection.
  useEffect(() => {
    const timer = setTimeout(() => void loadDialogs(), LOAD_DIALOGS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <AlertDialog
      isOpen={state !== null}
      onClose={stay}
      title="Are you still there?"
      description={
        <>
          You will be signed out in{" "}
          <span role="timer" className="num font-semibold text-ink">
            {clockText(state?.secondsLeft ?? 0)}
          </span>{" "}
          because of inactivity. What you have typed is kept.
        </>
      }
      footer={
        <>
          <Button variant="secondary" onClick={onSignOut}>
            Sign out
          </Button>
          {/* The next key press may come from someone still typing. */}
          <Button data-dialog-start onClick={stay}>
            Stay signed in
          </Button>
        </>
      }
    />
  );
}
