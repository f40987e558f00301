import { Check } from "lucide-react";
import clsx from "clsx";
import { SECTIONS } from "./fields";

/** The form's sections with their state, shown beside it on wide screens. */
export function SectionList({ completeIds }: { completeIds: ReadonlySet<string> }) {
  return (
    <nav aria-label="Sections" className="sticky top-8">
      <ol className="grid gap-1">
        {SECTIONS.map((section, index) => {
          const isComplete = completeIds.has(section.id);
          return (
            <li key={section.id}>
              <a
                href={`#${section.id}`}
                className="flex min-h-11 items-center gap-3 rounded-control px-3 text-muted hover:bg-neutral-soft hover:text-ink"
              >
                <span
                  aria-hidden
                  className={clsx(
                    "num grid size-6 place-items-center rounded-pill text-[0.8125rem] font-semibold",
                    isComplete ? "bg-pos-soft text-pos" : "border border-control",
                  )}
                >
                  {isComplete ? <Check className="size-3.5" strokeWidth={3} /> : index + 1}
                </span>
                {section.legend}
                {isComplete && <span className="sr-only">(complete)</span>}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
