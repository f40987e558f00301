/** Whether the person has changed pages, or left a later step of sign-in, since the document was loaded. */

let didNavigate = false;

/** Called on every client route change, and when sign-in leaves a step after its first. */
export function markNavigated(): void {
  didNavigate = true;
}

/** False on the page the document was loaded with: its heading must not steal the focus. */
export function hasNavigated(): boolean {
  return didNavigate;
}
