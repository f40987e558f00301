import { cellId, type GridProblem } from "./gridRows";

/** Links shown; the rest are only counted. */
const LINKS_MAX = 5;

/** The first problems as links to their cells. */
export function GridProblemLinks({ problems }: { problems: readonly GridProblem[] }) {
  const rest = problems.length - LINKS_MAX;
  return (
    <>
      {problems.slice(0, LINKS_MAX).map(({ key, column, text }) => (
        <a
          key={cellId(key, column)}
          href={`#${cellId(key, column)}`}
          className="mr-3 inline-block font-normal underline underline-offset-2"
          onClick={(event) => {
            event.preventDefault();
            const control = document.getElementById(cellId(key, column));
            control?.scrollIntoView({ block: "center" });
            control?.focus();
          }}
        >
          {text}
        </a>
      ))}
      {rest > 0 && <span className="font-normal">and {rest} more.</span>}
    </>
  );
}
