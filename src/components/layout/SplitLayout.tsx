import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { ShieldCheck } from "lucide-react";
import { INSTITUTION } from "#shared/institution";
import { TEXTS } from "#shared/texts";
import { PATHS } from "../../lib/paths";
import { Contours } from "../ui/Contours";
import { Wordmark } from "../ui/Mark";
import { SkipLink } from "./SkipLink";

interface SplitLayoutProps {
  /** The one security sentence on the band. */
  heading: string;
  lead: string;
  children: ReactNode;
}

/** Sign-in screens: the form on the left, the band with one security sentence on the right (desktop only). */
export function SplitLayout({ heading, lead, children }: SplitLayoutProps) {
  return (
    <div className="grid min-h-dvh grid-cols-1 lg:grid-cols-2">
      <SkipLink />
      <div className="flex min-h-dvh flex-col px-4 py-5 md:px-10 md:py-6">
        <header>
          <Link
            to={PATHS.home}
            aria-label={`${INSTITUTION.fullName}, home`}
            className="touch-room inline-flex rounded-control"
          >
            <Wordmark />
          </Link>
        </header>
        <main id="main" tabIndex={-1} className="grid flex-1 place-items-center py-10">
          {/* With room for a refusal, so that nothing moves when one appears. */}
          <div className="w-full max-w-100 tall:min-h-136">{children}</div>
        </main>
        <footer className="text-[0.8125rem] text-muted">{TEXTS.demoNotice}</footer>
      </div>
      <aside
        aria-label="Security advice"
        className="on-band relative isolate hidden overflow-hidden bg-band text-on-band lg:flex lg:flex-col lg:justify-end lg:p-14 xl:p-20"
      >
        <Contours className="mask-fade-down" />
        <div className="max-w-[30rem]">
          <ShieldCheck aria-hidden strokeWidth={1.75} className="mb-6 size-9 text-beacon" />
          <p className="font-display text-[2rem] leading-[1.2] font-semibold tracking-[-0.015em] text-balance">
            {heading}
          </p>
          <p className="mt-4 text-base text-on-band-muted">{lead}</p>
        </div>
      </aside>
    </div>
  );
}
