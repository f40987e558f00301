import { onFirstUse } from "./lib/firstUse";
import { loadPage } from "./lib/loadPart";
import "./index.css";

const container = document.getElementById("root");
if (!container) throw new Error("The page has no #root");

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Fetches in parallel what the application needs on this page (scripts/prerender.ts lists it), and runs it chunk by
 * chunk, dependencies first: all at once would keep a phone from responding to touch.
 */
async function loadChunks(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="later"]')];
  for (const link of links) link.rel = "modulepreload";
  for (const link of links.reverse()) {
    // What cannot be loaded fails the import that needs it, which reports it.
    await import(/* @vite-ignore */ link.href).catch(() => undefined);
    await nextTask();
  }
}

const startApp = () => {
  void loadChunks()
    .then(() => loadPage(() => import("./app/start")))
    .then(
      ({ start }) => start(container),
      // It did not arrive, which the page says by itself (index.html).
      () => undefined,
    );
};

/** Marks a form that cannot be sent yet while Enter is the last key pressed in it: src/app/start.tsx sends it then. */
function rememberEnter({ key, isComposing }: KeyboardEvent): void {
  container?.toggleAttribute("data-entered", key === "Enter" && !isComposing);
}

/** Calls back once the page has been painted. A page in the background is not painted, so at once. */
function afterPaint(callback: () => void): void {
  if (document.hidden) callback();
  else requestAnimationFrame(() => setTimeout(callback));
}

if (container.dataset.start === "replace") container.addEventListener("keydown", rememberEnter);

// A pre-rendered page that works as plain HTML loads the application on first use (scripts/prerender.ts says which);
// one that can already be read is painted first.
if (container.dataset.start === "on-use" && window.scrollY === 0) onFirstUse(startApp);
else if (container.dataset.start === undefined) startApp();
else afterPaint(startApp);
