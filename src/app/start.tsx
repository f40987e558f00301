import { startTransition, StrictMode, type ReactNode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { endPress, startPress } from "../lib/afterPress";
import { ignoreStrayClick, rememberPress } from "../lib/doubleClick";
import { ignoreHeldEnter } from "../lib/heldEnter";
import { App } from "./App";

/**
 * Mounts the application. Public pages arrive as HTML made at build time: most are taken over in
 * place; pages with a form are replaced, and what was typed meanwhile is carried over
 * (`data-start="replace"`).
 */
export function start(container: HTMLElement): void {
  takePlainAddress();
  document.addEventListener("keydown", ignoreHeldEnter, { capture: true });
  document.addEventListener("mousedown", rememberPress, { capture: true });
  document.addEventListener("mousedown", startPress, { capture: true });
  document.addEventListener("mouseup", endPress, { capture: true });
  document.addEventListener("pointercancel", endPress, { capture: true });
  document.addEventListener("click", ignoreStrayClick, { capture: true });
  const tree = (
    <StrictMode>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </StrictMode>
  );
  if (!container.hasChildNodes()) createRoot(container).render(tree);
  else if (container.dataset.start === "replace") replaceWhenReady(container, tree);
  else {
    hydrateRoot(container, tree);
    // The page is no longer late (styles/base.css).
    container.removeAttribute("data-start");
  }
}

/**
 * All our addresses are lower case without a trailing slash; routes and server accept other spellings too. From here on
 * there is only one, for whatever compares addresses (such as the current link of a navigation).
 */
function takePlainAddress(): void {
  const { origin, pathname, search, hash } = window.location;
  const plain = pathname.replace(/\/+$/, "").toLowerCase() || "/";
  if (plain === pathname) return;
  window.history.replaceState(window.history.state, "", `${origin}${plain}${search}${hash}`);
}

type Control = HTMLInputElement | HTMLSelectElement;

/** Sets the value as a person would, so that React notices. */
function type(control: Control, value: string): void {
  const prototype = control instanceof HTMLInputElement ? HTMLInputElement : HTMLSelectElement;
  Object.getOwnPropertyDescriptor(prototype.prototype, "value")?.set?.call(control, value);
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Moves what was typed into `from`, the focus and a last Enter to the fields of the same name in `to`. */
function carryOver(from: HTMLElement, to: HTMLElement): void {
  const focused = document.activeElement;
  const typed = from.querySelectorAll<Control>("input[name], select[name]");
  from.replaceWith(to);
  for (const control of typed) {
    const name = CSS.escape(control.name);
    const twin = to.querySelector<Control>(`input[name="${name}"], select[name="${name}"]`);
    if (twin === null) continue;
    if (control.value !== "" && twin.value === "") type(twin, control.value);
    if (control !== focused) continue;
    twin.focus({ preventScroll: true });
    if (!(twin instanceof HTMLInputElement)) continue;
    // The caret belongs after what was typed. Controls without one (a date, an e-mail) have no selection.
    if (twin.selectionStart !== null) twin.setSelectionRange(twin.value.length, twin.value.length);
    // Once React has rendered what was typed.
    if (from.hasAttribute("data-entered")) setTimeout(() => twin.form?.requestSubmit());
  }
}

/** Renders beside the page and takes its place once there is something to see. */
function replaceWhenReady(container: HTMLElement, tree: ReactNode): void {
  const fresh = document.createElement("div");
  fresh.id = container.id;
  const observer = new MutationObserver(() => {
    if (!fresh.textContent) return;
    observer.disconnect();
    carryOver(container, fresh);
  });
  observer.observe(fresh, { childList: true, subtree: true, characterData: true });
  const root = createRoot(fresh);
  // In slices, so that a phone responds to touches meanwhile.
  startTransition(() => root.render(tree));
}
