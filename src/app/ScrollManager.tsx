import { useEffect, useRef } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router-dom";
import { markNavigated } from "../lib/navigation";

/** How long a fragment's target may take to load. */
const TARGET_WAIT_MS = 5_000;

/** Brings the fragment's element into view as soon as it exists. Returns a function that stops waiting. */
function scrollToFragment(fragment: string): () => void {
  const go = (): boolean => {
    const target = document.getElementById(fragment);
    target?.scrollIntoView();
    return target !== null;
  };
  if (go()) return () => undefined;
  const observer = new MutationObserver(() => {
    if (go()) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => observer.disconnect(), TARGET_WAIT_MS);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}

/** The element id that a fragment names; as written if it is not validly encoded. */
function idOfFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/**
 * After a route change: scrolls to the top of the new page or to its fragment, even when the link to that fragment is
 * followed again; going back keeps the position.
 */
export function ScrollManager() {
  const { pathname, search, hash, key } = useLocation();
  const navigationType = useNavigationType();
  const shown = useRef({ pathname, search, hash, key });
  useEffect(() => {
    const before = shown.current;
    shown.current = { pathname, search, hash, key };
    const isNewPage = before.pathname !== pathname;
    if (isNewPage) markNavigated();
    const isNewPlace = isNewPage || before.hash !== hash;
    const isPop = navigationType === NavigationType.Pop;
    if (hash.length > 1) {
      // Back to another visit to the same place: the browser knows where it was scrolled to.
      if (isPop && before.key !== key && !isNewPlace) return undefined;
      return scrollToFragment(idOfFragment(hash.slice(1)));
    }
    // A page's tabs also drop its fragment, but they replace the address.
    const isLinkToTop = navigationType === NavigationType.Push && before.search === search;
    if (isNewPage ? !isPop : isNewPlace && isLinkToTop) window.scrollTo(0, 0);
    return undefined;
  }, [pathname, search, hash, key, navigationType]);
  return null;
}
