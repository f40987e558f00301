import { useEffect, useRef, type MouseEvent } from "react";
import clsx from "clsx";

interface FieldProblem {
  /** Id of the control; absent where the problem concerns the form as a whole. */
  fieldId?: string;
  message: string;
}

/**
 * The list of problems above a long form. Focus moves to it when `attempt` changes and there are
 * problems; the page title is prefixed "Error: " while it shows.
 */
export function ErrorSummary({
  problems,
  attempt,
  lead,
}: {
  problems: readonly FieldProblem[];
  /** Number of submissions so far. */
  attempt: number;
  /** One sentence above the list. */
  lead?: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const hasProblems = problems.length > 0;
  useEffect(() => {
    if (hasProblems && attempt > 0) box.current?.focus();
  }, [attempt, hasProblems]);
  useEffect(() => {
    if (!hasProblems) return;
    const prefix = "Error: ";
    if (!document.title.startsWith(prefix)) document.title = prefix + document.title;
    return () => {
      document.title = document.title.replace(prefix, "");
    };
  }, [hasProblems]);
  if (!hasProblems) return null;
  const onFollow = (event: MouseEvent, fieldId: string) => {
    event.preventDefault();
    const field = document.getElementById(fieldId);
    field?.scrollIntoView({ block: "center" });
    field?.focus();
  };
  return (
    <div
      ref={box}
      tabIndex={-1}
      className="animate-popup rounded-card border border-neg bg-neg-soft p-5 text-neg"
    >
      <div role="alert">
        <h2 className="text-sub-title mb-2">There is a problem</h2>
        {lead !== undefined && <p className="mb-2">{lead}</p>}
        <ul className={clsx("grid gap-x-6 gap-y-1", problems.length > 6 && "sm:grid-cols-2")}>
          {problems.map(({ fieldId, message }) => (
            <li key={fieldId ?? message} className="font-medium">
              {fieldId === undefined ? (
                message
              ) : (
                <a
                  href={`#${fieldId}`}
                  onClick={(event) => onFollow(event, fieldId)}
                  className="underline underline-offset-2"
                >
                  {message}
                </a>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
