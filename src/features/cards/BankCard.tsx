import { INSTITUTION } from "#shared/institution";
import clsx from "clsx";
import { Contours } from "../../components/ui/Contours";
import { Mark } from "../../components/ui/Mark";
import type { Card } from "./useMyCards";

const DESIGNS: Record<Card["design"], string> = {
  petrol: "bg-band",
  ink: "bg-[#151a24]",
};

/** The card's face: masked number, expiry, holder; dimmed while it cannot be used. */
export function BankCard({ card }: { readonly card: Card }) {
  const isUsable = card.status === "Active";
  return (
    <div
      className={clsx(
        "on-band relative isolate grid grid-cols-1 aspect-[1.586] w-full max-w-88 content-between overflow-clip rounded-card p-5 text-on-band forced-colors:border",
        DESIGNS[card.design],
        !isUsable && "opacity-85 grayscale",
      )}
    >
      <Contours />
      <div className="flex items-center justify-between">
        <span className="flex items-center gap-2 font-display font-semibold">
          <Mark className="size-7" />
          {INSTITUTION.name}
        </span>
        <span className="text-sm text-on-band-muted">
          {card.kind === "debit" ? "Debit" : "Credit"}
        </span>
      </div>
      <p className="num text-lg tracking-wider sm:text-xl">{card.maskedNumber}</p>
      <div className="flex flex-wrap items-end justify-between gap-x-4 text-sm">
        <span dir="auto" className="min-w-0 truncate font-semibold">
          {card.holderName}
        </span>
        <span className="num shrink-0">
          <span className="text-on-band-muted">Expires </span>
          {card.expiry}
        </span>
      </div>
    </div>
  );
}
