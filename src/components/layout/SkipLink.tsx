/** First keyboard stop on every page: skips the navigation to `main`. */
export function SkipLink() {
  return (
    <a
      href="#main"
      onClick={(event) => {
        // The address keeps its fragment (the dashboard opens panels by it).
        event.preventDefault();
        const main = document.getElementById("main");
        main?.focus();
        main?.scrollIntoView();
      }}
      className="sr-only z-60 rounded-control bg-brand px-4 py-3 font-semibold text-on-brand focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      Skip to main content
    </a>
  );
}
