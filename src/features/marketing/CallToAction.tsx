import { BandContours } from "../../components/layout/BandContours";
import { BandLink } from "./BandLink";

/** The closing invitation on Home and About. */
export function CallToAction() {
  return (
    <section
      aria-label="Become a member"
      className="mx-auto max-w-public px-4 py-14 md:px-6 md:py-20"
    >
      <div className="on-band relative isolate overflow-hidden rounded-[1.25rem] bg-band px-6 py-10 text-on-band md:px-14 md:py-16">
        <BandContours view="turned" />
        <h2 className="max-w-[20ch] font-display text-[1.875rem] leading-[1.1] font-semibold tracking-[-0.02em] md:text-[2.5rem]">
          Five minutes to apply, then we take it from there
        </h2>
        <p className="mt-4 max-w-[50ch] text-on-band-muted">
          We review every application by hand, typically within 1-2 business days, and write to you
          as soon as a decision is made.
        </p>
        <div className="mt-8 grid gap-3 sm:flex sm:flex-wrap">
          <BandLink to="/signup" variant="solid">
            Apply for membership
          </BandLink>
          <BandLink to="/contact" variant="outline">
            Ask a question first
          </BandLink>
        </div>
      </div>
    </section>
  );
}
