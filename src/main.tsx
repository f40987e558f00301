import { onFirstUse } from "./lib/firstUse";
import "./index.css";

const RELOAD_KEY = "reloadedAtMs";
const RELOAD_AGAIN_AFTER_MS = 60_000;

// A page opened before a new release asks for chunks that are gone: load the new release, once. While the
// server is away the page stays: there is nothing to load instead, and what was typed would be lost.
window.addEventListener("vite:preloadError", () => {
  const reloadOnce = () => {
    const lastMs = Number(sessionStorage.getItem(RELOAD_KEY) ?? 0);
    if (Date.now() - lastMs < RELOAD_AGAIN_AFTER_MS) return;
    sessionStorage.setItem(RELOAD_KEY, String(Date.now()));
    window.location.reload();
  };
  fetch(window.location.href, { method: "HEAD", cache: "no-store" }).then(
    // A proxy answers too while the server behind it is away.
    ({ ok: isServing }) => {
      if (isServing) reloadOnce();
    },
    () => undefined,
  );
});

const container = document.getElementById("root");
if (!container) throw new Error("The page has no #root");

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Fetches together what the application needs on this page (scripts/prerender.ts names it), and runs
 * it chunk by chunk, dependencies first: all at once would keep a phone from answering a touch.
 */
async function loadChunks(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="later"]')];
  for (const link of links) link.rel = "modulepreload";
  for (const link of links.reverse()) {
    // What cannot be loaded is asked for again by the import that needs it, which reports it.
    await import(/* @vite-ignore */ link.href).catch(() => undefined);
    await nextTask();
  }
}

const startApp = () => {
  void loadChunks()
    .then(() => import("./app/start"))
    .then(({ start }) => start(container));
};

/** Calls back when the page can be seen. A page in the background is not painted: at once then. */
function afterPaint(callback: () => void): void {
  if (document.hidden) callback();
  else requestAnimationFrame(() => setTimeout(callback));
}

// A pre-rendered page that works as plain HTML loads the application when it is used
// (scripts/prerender.ts says which); one that can be read already is painted first.
if (container.dataset.start === "on-use" && window.scrollY === 0) onFirstUse(startApp);
else if (container.dataset.start === undefined) startApp();
else afterPaint(startApp);
