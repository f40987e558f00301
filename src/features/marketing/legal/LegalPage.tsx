import type { ReactNode } from "react";
import { PageHero } from "../PageHero";

interface LegalPageProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}

/** The frame of the plain-text pages: one readable column. */
export function LegalPage({ title, lead, children }: LegalPageProps) {
  return (
    <>
      <PageHero title={title} lead={lead} />
      <div className="mx-auto max-w-public px-4 py-10 md:px-6 md:py-14">
        <div className="grid max-w-[65ch] gap-9 text-base">{children}</div>
      </div>
    </>
  );
}

/** A titled part of a plain-text page. */
export function LegalPart({ title, children }: { readonly title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="text-card-title">{title}</h2>
      <div className="mt-2 grid gap-3 text-muted [&_li]:ml-5 [&_li]:list-disc [&_strong]:text-ink [&_ul]:grid [&_ul]:gap-1.5">
        {children}
      </div>
    </section>
  );
}
