import { useEffect, useEffectEvent, useState } from "react";

const SETTLE_MS = 250;

/**
 * Text of a control that belongs to a slower place (the address): `[text, setText, settle]`.
 *
 * What is typed shows at once. `onSettle` gets it, without blanks around it, a moment after the last key, or
 * at `settle`, for when the control is left; `value` follows when it follows. When `value` changes by
 * itself (back, cleared filters), so does the text.
 */
export function useSettledText(
  value: string,
  onSettle: (text: string) => void,
): [string, (text: string) => void, () => void] {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  /** Handed to `onSettle` and not seen in `value` yet: while somebody types on, these are no news. */
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
