import { INSTITUTION } from "#shared/institution";
import clsx from "clsx";

/** The institution's mark: half a sun over two waves. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 44 44" className={clsx("size-9 shrink-0", className)}>
      {/* On a band, which has the color of the tile, a lighter one. */}
      <rect
        width="44"
        height="44"
        rx="11"
        className="fill-[#07303b] in-[.on-band]:fill-[#0b4a57]"
      />
      <path d="M11.5 20.5a10.5 10.5 0 0 1 21 0z" fill="#f4b73b" />
      <g fill="none" strokeWidth="2.4" strokeLinecap="round">
        <path
          stroke="#f2fafa"
          d="M9 27c2.2-2.2 4.3-2.2 6.5 0s4.3 2.2 6.5 0 4.3-2.2 6.5 0 4.3 2.2 6.5 0"
        />
        <path
          stroke="#63c7d8"
          d="M13.5 33.5c1.4-1.5 2.8-1.5 4.3 0s2.8 1.5 4.2 0 2.8-1.5 4.3 0 2.8 1.5 4.2 0"
        />
      </g>
    </svg>
  );
}

/** Mark and name; wrap it in a link. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={clsx("inline-flex items-center gap-2.5", className)}>
      <Mark />
      {/* Where text is so large that little of it fits on a phone, the mark stands alone. */}
      <span className="grid leading-none max-[16rem]:sr-only">
        <span className="font-display text-[1.0625rem] leading-tight font-semibold">
          {INSTITUTION.name}
        </span>{" "}
        <span className="text-xs leading-tight opacity-80">{INSTITUTION.suffix}</span>
      </span>
    </span>
  );
}
