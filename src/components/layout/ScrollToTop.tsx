import { ArrowUp } from "lucide-react";
import { SCROLL_TO_TOP_PX } from "#shared/limits";
import { useScrolledPast } from "../../hooks/useScrolledPast";
import { IconButton } from "../ui/Button";

/** Appears after SCROLL_TO_TOP_PX of scroll (spec section 9) and leads back to the heading. */
export function ScrollToTop() {
  const isShown = useScrolledPast(SCROLL_TO_TOP_PX);
  if (!isShown) return null;
  const onPress = () => {
    // The button is about to disappear: move focus to the heading, or it would be lost.
    document.querySelector("h1")?.focus({ preventScroll: true });
    // Browsers scroll smoothly when a script says so, even where less motion is wanted.
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    window.scrollTo({ top: 0, behavior: isStill ? "auto" : "smooth" });
  };
  return (
    <IconButton
      label="Scroll to top"
      onClick={onPress}
      className="fixed right-4 bottom-4 z-30 animate-fade border border-line bg-raised! text-ink! shadow-popup md:right-6 md:bottom-6"
    >
      <ArrowUp aria-hidden="true" />
    </IconButton>
  );
}
