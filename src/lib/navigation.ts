/** Whether the person has changed pages, or gone back a step within one, since the document was loaded. */

let didNavigate = false;

/** Called on every client route change, and when sign-in goes back to an earlier step. */
export function markNavigated(): void {
  didNavigate = true;
}

/** False on the page the document was loaded with: its heading must not steal the focus. */
export function hasNavigated(): boolean {
  return didNavigate;
}
