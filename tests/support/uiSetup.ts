/** What jsdom lacks and every component test shares. */
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { guardConsole } from "./consoleGuard";

class NoResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

// Not a stub: some tests remove all of them.
window.ResizeObserver = NoResizeObserver;
window.matchMedia = (query: string): MediaQueryList =>
  Object.assign(new EventTarget(), {
    matches: false,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.getAnimations = () => [];
Element.prototype.checkVisibility = () => true;
window.scrollTo = () => undefined;
// axe checks whether text is drawn as pictures; jsdom cannot draw, and warns each time.
HTMLCanvasElement.prototype.getContext = () => null;

// Components in their own chunk may take a while to load on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

guardConsole();
afterEach(() => {
  cleanup();
  window.sessionStorage.clear();
  window.localStorage.clear();
});
