/** Whether the person has moved between pages since the document was loaded. */

let didNavigate = false;

/** Called by the router on every client route change. */
export function markNavigated(): void {
  didNavigate = true;
}

/** False on the page the document was loaded with: its heading must not steal the focus. */
export function hasNavigated(): boolean {
  return didNavigate;
}
