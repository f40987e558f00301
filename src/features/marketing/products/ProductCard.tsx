import { Check } from "lucide-react";
import { useId } from "react";
import { ButtonLink } from "../../../components/ui/ButtonLink";
import type { Product } from "../content/products";
import { LearnMore } from "../LearnMore";

/** Name, rate, three facts and a way to reach a person. */
export function ProductCard({ product }: { readonly product: Product }) {
  const nameId = useId();
  return (
    <li
      id={product.id}
      className="flex flex-col rounded-card border border-line bg-surface p-6 shadow-card target:border-brand target:ring-1 target:ring-brand md:p-7"
    >
      <h3 id={nameId} className="text-card-title">
        {product.name}
      </h3>
      <p className="num mt-5 font-display text-[1.75rem] leading-[1.1] text-balance font-semibold tracking-[-0.02em] text-brand-ink">
        {product.figureLead !== undefined && (
          <span className="text-lg tracking-normal">{product.figureLead} </span>
        )}
        <span>{product.figure}</span>
      </p>
      <p className="mt-1 text-muted">{product.figureNote}</p>
      <ul className="mt-5 mb-7 grid gap-2.5">
        {product.facts.map((fact) => (
          <li key={fact} className="flex items-start gap-2.5">
            <Check aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-pos" />
            {fact}
          </li>
        ))}
      </ul>
      <ButtonLink
        to="/contact"
        variant="secondary"
        aria-describedby={nameId}
        className="mt-auto self-start"
      >
        <LearnMore about={product.name} />
      </ButtonLink>
    </li>
  );
}
