/**
 * Back brings a page again as it was left, before the server has been asked whether its session goes on: balances of a
 * session that was ended elsewhere, for as long as connecting takes. So it is left empty, and loaded anew.
 */

function empty({ persisted }: PageTransitionEvent): void {
  if (persisted) document.body.hidden = true;
}

function loadAnew({ persisted }: PageTransitionEvent): void {
  if (persisted) window.location.reload();
}

/** For pages that show somebody's money; returns the function that ends it. */
export function leaveNothingToRestore(): () => void {
  window.addEventListener("pagehide", empty);
  window.addEventListener("pageshow", loadAnew);
  return () => {
    window.removeEventListener("pagehide", empty);
    window.removeEventListener("pageshow", loadAnew);
  };
}
