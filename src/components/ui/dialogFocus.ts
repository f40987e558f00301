/** Where focus starts in a dialog, for both ways of drawing one. */

const TEXT_FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea";

/** The first text field of a dialog, or null. */
export const firstTextField = (dialog: HTMLElement | null): HTMLElement | null =>
  dialog?.querySelector<HTMLElement>(TEXT_FIELDS) ?? null;

/**
 * What gets the focus when a dialog opens: the element marked for it, else the first text field, else the first button;
 * null if there is none. Never a link: Enter would lead away from what the dialog says.
 */
export const startingPlace = (dialog: HTMLElement | null): HTMLElement | null =>
  dialog?.querySelector<HTMLElement>("[data-dialog-start]") ??
  firstTextField(dialog) ??
  dialog?.querySelector<HTMLElement>("button:enabled") ??
  null;
