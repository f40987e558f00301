/** Whether the person has moved between pages, or back a step of one, since the document was loaded. */

let didNavigate = false;

/** Called on every client route change, and when a step of sign-in gives way to an earlier one. */
export function markNavigated(): void {
  didNavigate = true;
}

/** False on the page the document was loaded with: its heading must not steal the focus. */
export function hasNavigated(): boolean {
  return didNavigate;
}
