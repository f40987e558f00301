import { CallToAction } from "../CallToAction";
import { CommunitySection } from "./CommunitySection";
import { HomeHero } from "./HomeHero";
import { MarketOverview } from "./MarketOverview";
import { QuickTiles } from "./QuickTiles";
import { ServiceCards } from "./ServiceCards";
import { StatsRow } from "./StatsRow";
import { Testimonials } from "./Testimonials";

/** The sections of spec section 2 "Public pages". Without `marketWidgetUrl` the market panel is our own. */
export function HomePage({ marketWidgetUrl }: { readonly marketWidgetUrl?: string }) {
  return (
    <>
      <HomeHero />
      <div className="relative z-10 -mt-6 md:-mt-10">
        <QuickTiles />
      </div>
      <MarketOverview widgetUrl={marketWidgetUrl} />
      <ServiceCards />
      <StatsRow />
      <Testimonials />
      <CommunitySection />
      <CallToAction />
    </>
  );
}
