import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { quickActionOf } from "../features/quickActions/actions";
import { TRANSFER_SECTION_ID } from "../features/transfers/TransferSection";

/** Each time a link to a dashboard section is followed, moves the focus to that section's heading. */
export function useFocusOfHash(isReady: boolean): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    const isSection = hash === `#${TRANSFER_SECTION_ID}` || quickActionOf(hash) !== null;
    if (!isReady || !isSection) return;
    document.querySelector<HTMLElement>(`${hash} h2`)?.focus({ preventScroll: true });
  }, [hash, key, isReady]);
}
