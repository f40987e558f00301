import { WifiOff } from "lucide-react";
import { TEXTS } from "#shared/texts";
import { useIsOffline } from "../../hooks/useConnection";
import { useIsAnswerLate } from "../../hooks/useConnectionNote";

/** Says that what is shown may be out of date, and what happens to what was sent. The region exists before its text. */
export function ConnectionBanner({ outdated = "Balances" }: { outdated?: string }) {
  const isOffline = useIsOffline();
  const isAnswerLate = useIsAnswerLate(isOffline);
  return (
    <div role="status" className="print:hidden">
      {(isOffline || isAnswerLate) && (
        <div
          data-connection-banner
          className="flex items-start justify-center gap-2 bg-warn-soft px-4 py-2 text-sm font-semibold text-warn"
        >
          <WifiOff aria-hidden className="mt-0.5 size-4 shrink-0" />
          <div className="min-w-0">
            {isOffline && <p>You're offline. {outdated} may be out of date.</p>}
            {isAnswerLate && <p>{TEXTS.answerAwaited}</p>}
          </div>
        </div>
      )}
    </div>
  );
}
