import { useEffect, useState, type RefObject } from "react";

/**
 * Whether the content was ever wider than its box. Only measuring tells with enlarged text: a phone's text size
 * changes neither rem nor any media query.
 */
export function useIsCut(box: RefObject<HTMLElement | null>): boolean {
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (element.scrollWidth > element.clientWidth) setIsCut(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return isCut;
}
