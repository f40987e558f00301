import { BandContours } from "../../../components/layout/BandContours";
import { PageHeading } from "../../../components/ui/PageHeading";
import { BandLink } from "../BandLink";
import { LearnMore } from "../LearnMore";
import { PUBLIC_PAGES } from "../pages";
import { DashboardMiniature } from "./DashboardMiniature";

/** Spec section 2 "Public pages": Get Started and Learn More. */
export function HomeHero() {
  return (
    <header className="on-band relative isolate overflow-hidden bg-band text-on-band">
      <BandContours />
      <div className="mx-auto grid max-w-public grid-cols-1 items-center gap-12 px-4 pt-28 pb-16 md:px-6 md:pt-36 md:pb-24 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:gap-16">
        <div>
          <PageHeading
            title={PUBLIC_PAGES.home.title}
            className="max-w-[13ch] text-[2.375rem]! leading-[1.05]! tracking-[-0.025em]! md:text-[3.5rem]!"
          >
            Banking owned by the people who use it
          </PageHeading>
          <p className="mt-5 max-w-[46ch] text-base text-on-band-muted md:text-lg">
            No shareholders and no quarterly targets. What we earn goes back to members as better
            rates, lower fees and people you can call.
          </p>
          <div className="mt-8 grid gap-3 sm:flex sm:flex-wrap">
            <BandLink to="/signup" variant="solid">
              Get Started
            </BandLink>
            <BandLink to="/products" variant="outline">
              <LearnMore about="our products" />
            </BandLink>
          </div>
        </div>
        <DashboardMiniature />
      </div>
    </header>
  );
}
