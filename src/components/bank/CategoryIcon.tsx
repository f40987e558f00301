import {
  ArrowLeftRight,
  Banknote,
  Camera,
  CarFront,
  CircleDashed,
  Clapperboard,
  HandCoins,
  ReceiptText,
  ShoppingBag,
  Utensils,
  type LucideIcon,
} from "lucide-react";
import type { Category } from "#shared/validators";
import clsx from "clsx";

const LOOKS: Record<Category, { icon: LucideIcon; tone: string }> = {
  Transfer: { icon: ArrowLeftRight, tone: "bg-brand-soft text-brand-ink" },
  "Bill Pay": { icon: ReceiptText, tone: "bg-brand-soft text-brand-ink" },
  Deposit: { icon: Camera, tone: "bg-pos-soft text-pos" },
  Income: { icon: Banknote, tone: "bg-pos-soft text-pos" },
  Withdrawal: { icon: HandCoins, tone: "bg-neutral-soft text-muted" },
  Shopping: { icon: ShoppingBag, tone: "bg-plum-soft text-plum" },
  Entertainment: { icon: Clapperboard, tone: "bg-plum-soft text-plum" },
  Food: { icon: Utensils, tone: "bg-warn-soft text-warn" },
  Transportation: { icon: CarFront, tone: "bg-sky-soft text-sky" },
  Other: { icon: CircleDashed, tone: "bg-neutral-soft text-muted" },
};

/** The round chip of a category. Decorative: the category is also given in words. */
export function CategoryIcon({ category }: { category: Category }) {
  const { icon: Icon, tone } = LOOKS[category];
  return (
    <span
      aria-hidden
      className={clsx("grid size-10 shrink-0 place-items-center rounded-pill", tone)}
    >
      <Icon className="size-4.5" />
    </span>
  );
}
