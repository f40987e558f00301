import { useEffect, useRef } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router-dom";
import { markNavigated } from "../lib/navigation";

/** How long a fragment's target may take to load. */
const TARGET_WAIT_MS = 5_000;

/** Brings the fragment's element into view as soon as it exists. Returns how to stop waiting. */
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

/** The element's id that a fragment names; as written when it is no valid encoding. */
function idOfFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** After a route change: the top of the new page, or its fragment; going back keeps the place. */
export function ScrollManager() {
  const { pathname, hash } = useLocation();
  const navigationType = useNavigationType();
  const shownPath = useRef(pathname);
  useEffect(() => {
    const isNewPage = shownPath.current !== pathname;
    shownPath.current = pathname;
    if (isNewPage) markNavigated();
    if (hash.length > 1) return scrollToFragment(idOfFragment(hash.slice(1)));
    if (isNewPage && navigationType !== NavigationType.Pop) window.scrollTo(0, 0);
    return undefined;
  }, [pathname, hash, navigationType]);
  return null;
}
