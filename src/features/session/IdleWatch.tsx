import { useEffect } from "react";
import { AlertDialog, loadDialogs } from "../../components/ui/Dialog";
import { Button } from "../../components/ui/Button";
import { useEndSession } from "../../hooks/useEndSession";
import { clockText } from "./idle";
import { useIdle } from "./useIdle";

/** Out of the way of the first view. */
const LOAD_DIALOGS_AFTER_MS = 2_000;

interface IdleWatchProps {
  userId: string;
  /** By policy; null: never. */
  idleTimeoutMs: number | null;
  /** Signing out of one's own will. */
  onSignOut: () => void;
}

/** Ends a session without activity, after a warning in every tab. Typed data stays as a draft. */
export function IdleWatch({ userId, idleTimeoutMs, onSignOut }: IdleWatchProps) {
  const endSession = useEndSession();
  const { state, stay } = useIdle(userId, idleTimeoutMs, () => void endSession());
  // The warning comes after a long while: there may be no connection then.
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
          {/* The next key is pressed by who was just typing. */}
          <Button data-dialog-start onClick={stay}>
            Stay signed in
          </Button>
        </>
      }
    />
  );
}
