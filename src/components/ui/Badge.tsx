import clsx from "clsx";

export type BadgeTone = "pos" | "warn" | "neg" | "neutral" | "brand" | "beacon";

const TONES: Record<BadgeTone, string> = {
  pos: "bg-pos-soft text-pos",
  warn: "bg-warn-soft text-warn",
  neg: "bg-neg-soft text-neg",
  neutral: "bg-neutral-soft text-muted",
  brand: "bg-brand-soft text-brand-ink",
  beacon: "bg-beacon text-on-beacon",
};

const TONE_OF: Record<string, BadgeTone> = {
  approved: "pos",
  active: "neutral",
  pending: "warn",
  "pending review": "warn",
  rejected: "neg",
  failed: "neg",
};

/** Tone of a status word: approved green, pending yellow, rejected and failed red, otherwise grey. */
export function badgeTone(status: string): BadgeTone {
  return TONE_OF[status.toLowerCase()] ?? "neutral";
}

/** A status as a word in a pill; the first letter is capitalised by CSS only. */
export function Badge({
  children,
  tone,
  hasDot = false,
}: {
  children: string;
  tone?: BadgeTone;
  hasDot?: boolean;
}) {
  return (
    <span
      className={clsx(
        "inline-flex max-w-full shrink-0 items-center gap-1.5 rounded-pill px-2.5 py-0.5 text-[0.8125rem] font-semibold first-letter:uppercase in-[td]:whitespace-nowrap",
        "print:border print:border-line forced-colors:border",
        TONES[tone ?? badgeTone(children)],
      )}
    >
      {hasDot && (
        // Of borders: system colors and paper have no backgrounds.
        <span aria-hidden className="size-1.5 rounded-pill border-[0.1875rem] border-current" />
      )}
      <span className="inline-block first-letter:uppercase">{children}</span>
    </span>
  );
}
