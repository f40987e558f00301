import { MILESTONES } from "../content/history";
import { Section } from "../Section";

/** The history as an ordered list with the year in display type. */
export function Timeline() {
  return (
    <Section title="Fifty years, one idea" lead="Members' money, lent to members, for members.">
      <ol className="relative border-l-2 border-line md:ml-32">
        {MILESTONES.map((milestone) => (
          <li key={milestone.year} className="relative pb-10 pl-7 last:pb-0 md:pl-10">
            <span
              aria-hidden="true"
              className="absolute top-2 -left-[0.4375rem] size-3 rounded-full border-2 border-canvas bg-brand"
            />
            <p className="num font-display text-[1.75rem] leading-none font-semibold tracking-[-0.02em] text-brand-ink md:absolute md:top-0 md:-left-32 md:w-24 md:text-right md:text-[2rem]">
              {milestone.year}
            </p>
            <h3 className="mt-2 text-card-title md:mt-0 md:pt-0.5">{milestone.title}</h3>
            <p className="mt-1.5 max-w-[60ch] text-muted">{milestone.text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
