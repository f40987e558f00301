/**
 * A held Enter acts once. Its repeats would press what the first press has moved under the focus (a menu's first entry, a
 * dialog's button), or send again a form that was just sent and emptied.
 */
let pressedIn: EventTarget | null = null;

/** For every `keydown` of the document. A text of several lines may be given more of them. */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter") return;
  if (!event.repeat) pressedIn = event.target;
  else if (event.target !== pressedIn || !(event.target instanceof HTMLTextAreaElement)) {
    event.preventDefault();
  }
}
