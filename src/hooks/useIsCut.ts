import { useEffect, useState, type RefObject } from "react";

/**
 * Whether the content is wider than its box, or was when the box was no wider than now. Only measuring tells with
 * enlarged text: a phone's text size changes neither rem nor any media query.
 */
export function useIsCut(box: RefObject<HTMLElement | null>): boolean {
  const [cutAtPx, setCutAtPx] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const { scrollWidth, clientWidth } = element;
      setCutAtPx((atPx) =>
        scrollWidth > clientWidth ? clientWidth : clientWidth > atPx ? 0 : atPx,
      );
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return cutAtPx > 0;
}
