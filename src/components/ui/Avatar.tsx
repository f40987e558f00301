import clsx from "clsx";

/** By code points: half of an emoji shows as a replacement character. */
const initialOf = ([first = ""]: string): string => first;

/** Initials of a name in a circle. Decorative: the name stands beside it. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  const words = name.trim().split(/\s+/);
  const outer = words.length > 1 ? [words[0], words.at(-1)] : words;
  const initials = outer.map((word = "") => initialOf(word)).join("");
  return (
    <span
      aria-hidden
      className={clsx(
        "grid size-9 shrink-0 place-items-center rounded-pill bg-brand text-[0.8125rem] font-semibold text-on-brand uppercase",
        className,
      )}
    >
      {initials}
    </span>
  );
}
