import { Check } from "lucide-react";
import clsx from "clsx";

/** Where a person is in a flow of a few named steps. */
export function Stepper({
  steps,
  current,
}: {
  steps: readonly string[];
  /** Index of the current step. */
  current: number;
}) {
  return (
    <ol
      aria-label="Progress"
      className="flex flex-wrap items-center gap-x-2 gap-y-2 text-sm max-[24rem]:text-[0.8125rem] sm:gap-x-3"
    >
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? "step" : undefined}
          className={clsx(
            "flex items-center gap-2 max-[24rem]:gap-1.5 max-[24rem]:before:hidden",
            index === current ? "font-semibold text-ink" : "text-muted",
            index > 0 &&
              "before:h-px before:w-3 before:bg-control before:content-[''] sm:before:w-6",
          )}
        >
          <span
            aria-hidden={index < current ? undefined : true}
            className={clsx(
              "num grid size-6 place-items-center rounded-pill text-[0.8125rem] font-semibold",
              index === current && "bg-brand text-on-brand forced-colors:border-2",
              index < current && "bg-pos-soft text-pos",
              index > current && "border border-control",
            )}
          >
            {index < current ? (
              <>
                <Check aria-hidden className="size-3.5" strokeWidth={3} />
                <span className="sr-only">Done:</span>
              </>
            ) : (
              index + 1
            )}
          </span>
          {step}
        </li>
      ))}
    </ol>
  );
}
