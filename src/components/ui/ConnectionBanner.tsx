import { WifiOff } from "lucide-react";

/** Says that what is shown may be old. The region exists before its text. */
export function ConnectionBanner({ isOffline }: { isOffline: boolean }) {
  return (
    <div role="status" className="print:hidden">
      {isOffline && (
        <p className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-sm font-semibold text-warn">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          You're offline. Balances may be out of date.
        </p>
      )}
    </div>
  );
}
