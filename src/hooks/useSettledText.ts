import { useEffect, useEffectEvent, useState } from "react";

const SETTLE_MS = 250;

/**
 * Text of a control that is stored somewhere slower (the address): `[text, setText, settle]`.
 *
 * What is typed shows at once. `onSettle` gets it, trimmed, a moment after the last key, or on `settle`, to be called
 * when the control is left; `value` follows in its own time. When `value` changes by itself (back, cleared filters), so
 * does the text.
 */
export function useSettledText(
  value: string,
  onSettle: (text: string) => void,
): [string, (text: string) => void, () => void] {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  /**
   * Handed to `onSettle` but not yet seen in `value`: when they arrive while someone keeps typing, they are not news.
   */
  const [expected, setExpected] = useState<readonly string[]>([]);
  if (value !== seen) {
    setSeen(value);
    const at = expected.indexOf(value);
    setExpected(at === -1 ? [] : expected.slice(at + 1));
    if (at === -1) setText(value);
  }
  const settle = () => {
    const settled = text.trim();
    if (settled === (expected.at(-1) ?? value)) return;
    setExpected([...expected, settled]);
    onSettle(settled);
  };
  const settleLate = useEffectEvent(settle);
  useEffect(() => {
    const timer = setTimeout(settleLate, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText, settle];
}
