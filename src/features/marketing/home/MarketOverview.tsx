import { useEffect, useState } from "react";
import { MarketPanel } from "./MarketPanel";

interface MarketOverviewProps {
  /** Address of the third-party widget; without one the local panel is all there is. */
  readonly widgetUrl?: string;
}

/**
 * The market overview on Home: the third-party widget in a sandboxed frame once it is known to respond, the local
 * sample panel until then or without it. The page is complete either way.
 */
export function MarketOverview({ widgetUrl }: MarketOverviewProps) {
  const isReachable = useIsReachable(widgetUrl);
  return (
    <section
      aria-label="Market overview"
      className="mx-auto max-w-public px-4 pt-14 md:px-6 md:pt-20"
    >
      {widgetUrl && isReachable ? (
        <iframe
          title="Market overview"
          src={widgetUrl}
          sandbox="allow-scripts allow-same-origin allow-popups"
          referrerPolicy="no-referrer"
          loading="lazy"
          className="no-print h-[26rem] w-full rounded-card border border-line bg-surface md:h-72"
        />
      ) : (
        <MarketPanel />
      )}
    </section>
  );
}

/** Checks once whether an address responds at all: a frame itself cannot tell that it failed. */
function useIsReachable(url: string | undefined): boolean {
  const [isReachable, setIsReachable] = useState(false);
  useEffect(() => {
    if (!url) return;
    const controller = new AbortController();
    fetch(url, { mode: "no-cors", credentials: "omit", signal: controller.signal }).then(
      () => setIsReachable(true),
      () => setIsReachable(false),
    );
    return () => controller.abort();
  }, [url]);
  return isReachable;
}
