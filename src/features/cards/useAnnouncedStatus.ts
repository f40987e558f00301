import { useEffect, useRef } from "react";
import { announce } from "../../lib/announce";

/**
 * Announces what a card has become, the member's own change included: its button may be read by its new name only, or
 * is disabled from now on.
 */
export function useAnnouncedStatus(name: string, status: string): void {
  const last = useRef(status);
  useEffect(() => {
    if (last.current !== status) announce(`${name}: ${status}`);
    last.current = status;
  }, [name, status]);
}
