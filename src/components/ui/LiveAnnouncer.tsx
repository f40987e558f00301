import { useSyncExternalStore } from "react";
import { currentAnnouncement, subscribeToAnnouncements } from "../../lib/announce";

/** The polite live region behind `announce`. Mounted once, in the signed-in frame. */
export function LiveAnnouncer() {
  const text = useSyncExternalStore(subscribeToAnnouncements, currentAnnouncement, () => "");
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
