import { useSyncExternalStore } from "react";
import { currentAnnouncement, subscribeToAnnouncements } from "../../lib/announce";

/**
 * The polite live region behind `announce`. Mounted once, in the signed-in frame. `aria-live` is written out because
 * dialogs hide everything else on the page, status regions too, and what was announced meanwhile would never be heard.
 */
export function LiveAnnouncer() {
  const text = useSyncExternalStore(subscribeToAnnouncements, currentAnnouncement, () => "");
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
