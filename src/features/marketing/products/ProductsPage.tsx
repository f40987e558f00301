import clsx from "clsx";
import { useEffect, useRef, type KeyboardEvent } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import { BandContours } from "../../../components/layout/BandContours";
import { ButtonLink } from "../../../components/ui/ButtonLink";
import { isShortcut } from "../../../lib/keyPress";
import { audienceOf, productsFor, type Audience } from "../content/products";
import { PageHero } from "../PageHero";
import { useIsHydrated } from "../useIsHydrated";
import { ProductCard } from "./ProductCard";

const TABS: readonly { audience: Audience; label: string; href: string }[] = [
  { audience: "personal", label: "Personal", href: "/products" },
  { audience: "business", label: "Business", href: "/products?for=business" },
];

/** The audience that the address names, by tab or by a product's place. */
function useAudience(): Audience {
  const { search, hash } = useLocation();
  // The pre-rendered document is the same for all of the page's addresses.
  if (!useIsHydrated()) return "personal";
  if (hash) return audienceOf(hash.slice(1));
  return new URLSearchParams(search).get("for") === "business" ? "business" : "personal";
}

/** Both tabs are in the document, so that the page is complete without scripts; the address selects one. */
export function ProductsPage() {
  const audience = useAudience();
  const { hash } = useLocation();
  // The place may be on a tab that has only just opened.
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, audience]);

  return (
    <>
      <PageHero
        title="Products"
        heading="Accounts and loans without small print"
        lead="Everything we offer on one page, for you and for the business you run."
      />
      <div className="mx-auto max-w-public px-4 py-10 md:px-6 md:py-14">
        <AudienceTabs selected={audience} />
        {TABS.map((tab) => (
          <section
            key={tab.audience}
            id={`panel-${tab.audience}`}
            role="tabpanel"
            aria-labelledby={`tab-${tab.audience}`}
            className={clsx("mt-8", tab.audience !== audience && "hidden noscript:block")}
          >
            <h2 className="sr-only noscript:not-sr-only">{tab.label} products</h2>
            <ul className="grid grid-cols-1 gap-4 noscript:mt-4 sm:grid-cols-2 md:gap-5 lg:grid-cols-3">
              {productsFor(tab.audience).map((product) => (
                <ProductCard key={product.id} product={product} />
              ))}
              {tab.audience === "personal" && <CalculatorCard />}
            </ul>
          </section>
        ))}
        <p className="mt-8 max-w-[70ch] text-[0.8125rem] text-muted">
          APY is the annual percentage yield, APR the annual percentage rate. Rates are examples of
          a demonstration product and not an offer.
        </p>
      </div>
    </>
  );
}

function CalculatorCard() {
  return (
    <li className="on-band relative isolate flex flex-col overflow-hidden rounded-card bg-band p-6 text-on-band md:p-7">
      <BandContours />
      <h3 className="text-card-title">What would it cost you?</h3>
      <p className="mt-3 mb-6 text-on-band-muted">
        The loan calculator shows the payment, the interest and every month of the way.
      </p>
      <ButtonLink to="/calculators" variant="band" className="mt-auto self-start">
        Work out a loan
      </ButtonLink>
    </li>
  );
}

/** Two options in one list. They are links, so that they work before any script has run. */
function AudienceTabs({ selected }: { readonly selected: Audience }) {
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = TABS.findIndex((tab) => tab.audience === selected);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const target =
      { Home: 0, End: TABS.length - 1 }[event.key] ?? (step ? index + step : undefined);
    const tab = target === undefined ? undefined : TABS.at(target % TABS.length);
    if (!tab || isShortcut(event)) return;
    event.preventDefault();
    void navigate(tab.href, { replace: true, preventScrollReset: true });
    list.current?.querySelector<HTMLElement>(`#tab-${tab.audience}`)?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label="Products for"
      onKeyDown={onKeyDown}
      className="inline-grid grid-cols-2 rounded-pill border border-line bg-sunken p-1 noscript:hidden"
    >
      {TABS.map((tab) => {
        const isSelected = tab.audience === selected;
        return (
          <Link
            key={tab.audience}
            id={`tab-${tab.audience}`}
            to={tab.href}
            replace
            preventScrollReset
            role="tab"
            aria-selected={isSelected}
            aria-controls={`panel-${tab.audience}`}
            tabIndex={isSelected ? 0 : -1}
            className={clsx(
              "touch-room grid min-h-10 place-items-center rounded-pill px-7 font-semibold transition-colors duration-120",
              isSelected
                ? "bg-brand text-on-brand forced-colors:outline forced-colors:-outline-offset-4"
                : "text-muted hover:text-ink",
            )}
          >
            {tab.label}
          </Link>
        );
      })}
    </div>
  );
}
