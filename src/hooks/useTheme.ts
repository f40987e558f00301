import { useSyncExternalStore } from "react";
import { currentTheme, setTheme, subscribeToTheme, type Theme } from "../lib/theme";

/** The chosen theme and how to change it. */
export function useTheme(): { theme: Theme; setTheme: (theme: Theme) => void } {
  const theme = useSyncExternalStore(subscribeToTheme, currentTheme, () => "system" as const);
  return { theme, setTheme };
}
