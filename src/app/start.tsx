import { StrictMode, type ReactNode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { App } from "./App";

/**
 * Mounts the application. Public pages arrive as HTML made at build time: most are taken over in
 * place; pages with a form that must not lose what is typed are replaced (`data-start="replace"`).
 */
export function start(container: HTMLElement): void {
  const tree = (
    <StrictMode>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </StrictMode>
  );
  if (!container.hasChildNodes()) createRoot(container).render(tree);
  else if (container.dataset.start === "replace") replaceWhenReady(container, tree);
  else hydrateRoot(container, tree);
}

/** Renders beside the page and takes its place once there is something to see. */
function replaceWhenReady(container: HTMLElement, tree: ReactNode): void {
  const fresh = document.createElement("div");
  fresh.id = container.id;
  const observer = new MutationObserver(() => {
    if (!fresh.textContent) return;
    observer.disconnect();
    container.replaceWith(fresh);
  });
  observer.observe(fresh, { childList: true, subtree: true, characterData: true });
  createRoot(fresh).render(tree);
}
