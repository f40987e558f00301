import type { ReactNode } from "react";
import { BandContours } from "../../components/layout/BandContours";
import { PageHeading } from "../../components/ui/PageHeading";

interface PageHeroProps {
  /** The document's title, as in the navigation. */
  readonly title: string;
  readonly heading?: string;
  readonly lead: ReactNode;
}

/** The band that opens every public page except Home: the h1 and one sentence. */
export function PageHero({ title, heading = title, lead }: PageHeroProps) {
  return (
    <header className="on-band relative isolate overflow-hidden bg-band text-on-band">
      <BandContours />
      <div className="mx-auto max-w-public px-4 pt-28 pb-12 md:px-6 md:pt-36 md:pb-16 print:p-0 print:pb-4">
        <PageHeading
          title={title}
          className="max-w-[20ch] text-[2.125rem]! leading-[1.1]! tracking-[-0.02em]! md:text-[2.75rem]!"
        >
          {heading}
        </PageHeading>
        <p className="mt-4 max-w-[52ch] text-base text-on-band-muted md:text-lg print:text-base">
          {lead}
        </p>
      </div>
    </header>
  );
}
