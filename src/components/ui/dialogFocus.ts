/** Where a dialog starts, for both ways of drawing one. */
const TEXT_FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea";

/** The first field for text of a dialog, or null. */
export const firstTextField = (dialog: HTMLElement | null): HTMLElement | null =>
  dialog?.querySelector<HTMLElement>(TEXT_FIELDS) ?? null;

/**
 * What gets the focus when it opens: what is marked for it, else its first field for text, else its first button;
 * null without any. Never a link: Enter would lead away from what the dialog says.
 */
export const startingPlace = (dialog: HTMLElement | null): HTMLElement | null =>
  dialog?.querySelector<HTMLElement>("[data-dialog-start]") ??
  firstTextField(dialog) ??
  dialog?.querySelector<HTMLElement>("button:enabled") ??
  null;
