import { VOICES } from "../content/voices";
import { Section } from "../Section";

/** States on the page that the quotes are illustrative. */
export function Testimonials() {
  return (
    <Section title="What members say">
      <div className="grid gap-8 md:grid-cols-2 md:gap-12">
        {VOICES.map((voice) => (
          <figure key={voice.name} className="border-l-3 border-beacon pl-6 wrap-anywhere">
            <blockquote className="font-display text-xl leading-snug font-medium md:text-2xl">
              <p>{voice.quote}</p>
            </blockquote>
            <figcaption className="mt-5 text-sm text-muted">
              <span className="block text-[0.9375rem] font-semibold text-ink">{voice.name}</span>
              {voice.since}
            </figcaption>
          </figure>
        ))}
      </div>
      <p className="mt-8 text-[0.8125rem] text-muted">
        These quotes are illustrative: the institution and its members are invented.
      </p>
    </Section>
  );
}
