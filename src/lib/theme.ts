/**
 * Light, dark or as the device says. Kept on the device; public/theme.js reads the same key and applies it before the
 * first paint, and when another tab sets it.
 */
import { newListeners } from "./listeners";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "theme";
const listeners = newListeners();

/** The chosen theme; "system" when none is stored or storage is blocked. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

/** Applies the theme at once and keeps it. */
export function setTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be blocked; the theme then lasts as long as the page.
  }
  listeners.tell();
}

/** Calls back when a theme is set, in this tab or another; returns the function that unsubscribes. */
export function subscribeToTheme(listener: () => void): () => void {
  const unsubscribe = listeners.subscribe(listener);
  window.addEventListener("storage", listener);
  return () => {
    unsubscribe();
    window.removeEventListener("storage", listener);
  };
}
