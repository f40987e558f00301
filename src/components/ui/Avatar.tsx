import clsx from "clsx";

/** Initials of a name in a circle. Decorative: the name stands beside it. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  const words = name.trim().split(/\s+/);
  const initials = `${words[0]?.charAt(0) ?? ""}${words.length > 1 ? (words.at(-1)?.charAt(0) ?? "") : ""}`;
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
