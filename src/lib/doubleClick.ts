/**
 * The second click of a double click is for what the first one pressed. By then something else may be there, which it
 * would press unasked: the button of the question that the first click asked, the next row of a list, a backdrop.
 */
let pressed: Element | null = null;

const CONTROLS = "a, button, input, label, select, summary, textarea, [role]";

/** A label's click is a click on its control too. */
function controlOf(target: EventTarget | null): Element | null {
  const control = target instanceof Element ? target.closest(CONTROLS) : null;
  return control instanceof HTMLLabelElement ? control.control : control;
}

/** For every `mousedown` of the document. */
export function rememberPress({ target, detail }: MouseEvent): void {
  if (detail <= 1) pressed = controlOf(target);
}

/** For every `click` of the document, before anything else sees it. */
export function ignoreStrayClick(event: MouseEvent): void {
  if (event.detail <= 1 || controlOf(event.target) === pressed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
