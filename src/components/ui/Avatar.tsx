import clsx from "clsx";

/** By code points: half of an emoji shows as a replacement character. */
const initialOf = ([first = ""]: string): string => first;

/** Of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const outer = words.length > 1 ? [words[0], words.at(-1)] : words;
  return outer.map((word = "") => initialOf(word)).join("");
}

/** Initials of a name in a circle. Decorative: the name stands beside it. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden
      className={clsx(
        // With text enlarged by the device, letters would stick out of the circle.
        "grid size-9 shrink-0 place-items-center rounded-pill bg-brand text-[length:--spacing(3.25)] font-semibold text-on-brand uppercase [text-size-adjust:none]",
        className,
      )}
    >
      {initialsOf(name)}
    </span>
  );
}
