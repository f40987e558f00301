import { COUNTERS, counterText } from "../content/history";

const SHOWN = COUNTERS.slice(0, 4);

/** The credit union in four figures. */
export function StatsRow() {
  return (
    <section aria-label="In figures" className="border-y border-line bg-surface">
      <dl className="mx-auto flex max-w-public flex-wrap gap-x-6 gap-y-8 px-4 py-12 md:px-6 md:py-14">
        {SHOWN.map((counter) => (
          <div
            key={counter.label}
            className="flex basis-[calc((100%-1.5rem)/2)] flex-col-reverse md:basis-[calc((100%-4.5rem)/4)]"
          >
            <dt className="mt-1 text-muted">{counter.label}</dt>
            <dd className="num font-display text-[2rem] leading-none max-[22.5rem]:text-[1.625rem] font-semibold tracking-[-0.02em] md:text-[2.375rem]">
              {counterText(counter)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
