/**
 * What leaving a field shows or takes away moves what is below it. A press that leaves the field would then miss what it
 * was meant for, so this waits until the press is over.
 */
let waiting: (() => void)[] | null = null;

/** For every `mousedown` of the document; a touch has one too, before the field is left. */
export function startPress({ button, target }: MouseEvent): void {
  // A list of choices opens at once, and may keep the end of the press to itself.
  if (button === 0 && !(target instanceof HTMLSelectElement)) waiting ??= [];
}

/** For every `mouseup` of the document, and `pointercancel`, which ends a press that turns into dragging. */
export function endPress(): void {
  const acts = waiting ?? [];
  waiting = null;
  for (const act of acts) act();
}

/** Calls `act` now, or at the end of the press that is under way, before its click. */
export function afterPress(act: () => void): void {
  if (waiting === null) act();
  else waiting.push(act);
}
