import { COUNTERS, counterText, type Counter } from "../content/history";
import { useCountUp } from "./useCountUp";

/** Spec section 9 "About counters"; counts up once when it comes into view. */
export function Counters() {
  const { ref, progress } = useCountUp<HTMLDListElement>();
  return (
    <section aria-label="In figures" className="border-b border-line bg-surface">
      <dl
        ref={ref}
        className="mx-auto flex max-w-public flex-wrap gap-x-6 gap-y-8 px-4 py-12 md:px-6"
      >
        {COUNTERS.map((counter) => (
          <div
            key={counter.label}
            className="flex basis-[calc((100%-1.5rem)/2)] flex-col-reverse sm:basis-[calc((100%-3rem)/3)] lg:basis-[calc((100%-6rem)/5)]"
          >
            <dt className="mt-1 text-muted">{counter.label}</dt>
            <dd className="num font-display text-[2rem] leading-none max-[22.5rem]:text-[1.625rem] font-semibold tracking-[-0.02em] md:text-[2.375rem]">
              <CounterFigure counter={counter} progress={progress} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** While it counts, assistive technology reads the final value; at the end there is only one text. */
function CounterFigure({ counter, progress }: { counter: Counter; progress: number }) {
  if (progress === 1) return counterText(counter);
  return (
    <>
      <span className="sr-only">{counterText(counter)}</span>
      <span aria-hidden="true">{counterText(counter, Math.round(counter.target * progress))}</span>
    </>
  );
}
