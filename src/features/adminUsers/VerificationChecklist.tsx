import { useState } from "react";
import { VERIFICATION_CHECKS, type VerificationCheck } from "#shared/validators";
import { Checkbox } from "../../components/ui/Checkbox";
import { formatDateTime, inOnePiece } from "../../lib/format";
import { CHECK_LABELS } from "./verificationChecks";

interface StoredCheck {
  readonly check: VerificationCheck;
  readonly checkedBy: string;
  readonly checkedAt: number;
}

/** The ten checks; each tick is stored at once with who and when. */
export function VerificationChecklist({
  checks,
  onSetCheck,
}: {
  checks: readonly StoredCheck[];
  onSetCheck: (check: VerificationCheck, isChecked: boolean) => Promise<boolean>;
}) {
  // The last tick of each box on its way to the server, so that a box responds at once.
  const [sending, setSending] = useState<
    Partial<Record<VerificationCheck, { readonly isChecked: boolean }>>
  >({});
  const set = async (check: VerificationCheck, isChecked: boolean) => {
    const tick = { isChecked };
    setSending((before) => ({ ...before, [check]: tick }));
    await onSetCheck(check, isChecked);
    setSending((now) => {
      const { [check]: last, ...rest } = now;
      return last === tick ? rest : now;
    });
  };
  const isTicked = (check: VerificationCheck): boolean =>
    sending[check]?.isChecked ?? checks.some((stored) => stored.check === check);
  const tickedCount = VERIFICATION_CHECKS.filter(isTicked).length;

  return (
    <section aria-label="Checklist" className="grid content-start gap-1">
      <h3 className="text-sub-title">Checklist</h3>
      <p role="status" className="num text-sm text-muted">
        {tickedCount} of {VERIFICATION_CHECKS.length} checked
      </p>
      <div aria-hidden className="mt-1 mb-2 h-1.5 overflow-hidden rounded-pill bg-neutral-soft">
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" className="block size-full">
          <rect
            width={(100 * tickedCount) / VERIFICATION_CHECKS.length}
            height="1"
            className="fill-brand"
          />
        </svg>
      </div>
      {VERIFICATION_CHECKS.map((check) => {
        const stored = checks.find((item) => item.check === check);
        return (
          <Checkbox
            key={check}
            label={CHECK_LABELS[check]}
            // Takes a line from the start: the boxes below must not move while someone is ticking them.
            hint={
              stored === undefined
                ? "Not checked yet"
                : `${stored.checkedBy}, ${inOnePiece(formatDateTime(stored.checkedAt))}`
            }
            checked={isTicked(check)}
            onCheckedChange={(isChecked) => void set(check, isChecked)}
          />
        );
      })}
    </section>
  );
}
