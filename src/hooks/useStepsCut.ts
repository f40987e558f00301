import { useEffect, useState, type RefObject } from "react";

/**
 * How many narrower layouts the content of a box needs, of `stepsMax`: one more each time it is wider than its box,
 * fewer once the box is wider than it was then. Only measuring tells with enlarged text: a phone's text size changes
 * neither rem nor any media query.
 */
export function useStepsCut(box: RefObject<HTMLElement | null>, stepsMax: number): number {
  const [cutAtPx, setCutAtPx] = useState<readonly number[]>([]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const { scrollWidth, clientWidth } = element;
      const held = cutAtPx.filter((px) => clientWidth <= px);
      if (held.length < cutAtPx.length) setCutAtPx(held);
      else if (scrollWidth > clientWidth && held.length < stepsMax)
        setCutAtPx([...held, clientWidth]);
    });
    // Again after each step, which need not change the size of the box.
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, stepsMax, cutAtPx]);
  return cutAtPx.length;
}
