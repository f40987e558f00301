import { MILESTONES } from "../content/history";

/** The history as an ordered list with the year in display type. */
export function Timeline() {
  return (
    <section
      aria-labelledby="history"
      className="mx-auto grid max-w-public grid-cols-1 gap-x-16 gap-y-10 px-4 py-14 md:px-6 md:py-20 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
    >
      <div className="lg:sticky lg:top-28 lg:self-start">
        <h2
          id="history"
          className="font-display text-[1.625rem] leading-[1.15] font-semibold tracking-[-0.015em] md:text-[2.125rem]"
        >
          Fifty years, one idea
        </h2>
        <p className="mt-3 max-w-[36ch] text-base text-muted">
          Members&rsquo; money, lent to members, for members.
        </p>
      </div>
      <ol className="relative border-l-2 border-line md:ml-28">
        {MILESTONES.map((milestone) => (
          <li key={milestone.year} className="relative pb-10 pl-7 last:pb-0 md:pl-9">
            <span
              aria-hidden="true"
              className="absolute top-2 -left-[0.4375rem] size-3 rounded-full border-2 border-canvas bg-brand"
            />
            <p className="num font-display text-[1.75rem] leading-none font-semibold tracking-[-0.02em] text-brand-ink md:absolute md:top-0 md:-left-28 md:w-22 md:text-right md:text-[2rem]">
              {milestone.year}
            </p>
            <h3 className="mt-2 text-card-title md:mt-0 md:pt-0.5">{milestone.title}</h3>
            <p className="mt-1.5 max-w-[60ch] text-muted">{milestone.text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
