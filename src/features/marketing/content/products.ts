import { RATES } from "#shared/limits";

export type Audience = "personal" | "business";

export interface Product {
  /** The place on /products: `/products#savings`. */
  readonly id: string;
  readonly audience: Audience;
  readonly name: string;
  /** The big figure of the card and the words around it (spec section 9). */
  readonly figureLead?: "from" | "up to";
  readonly figure: string;
  readonly figureNote: string;
  readonly facts: readonly [string, string, string];
}

/** What the credit union offers, in the order of the page. */
const PRODUCTS: readonly Product[] = [
  {
    id: "checking",
    audience: "personal",
    name: "Checking",
    figure: "$0",
    figureNote: "monthly fee, no minimum balance",
    facts: [
      "Opened together with your membership",
      "Pay bills and deposit checks from your phone",
      "A debit card that you can lock yourself",
    ],
  },
  {
    id: "savings",
    audience: "personal",
    name: "Savings",
    figure: RATES.savingsApy,
    figureNote: "on your whole balance",
    facts: [
      "Earns from the first dollar",
      "Move money to Checking at any time",
      "Your share in the credit union",
    ],
  },
  {
    id: "mortgages",
    audience: "personal",
    name: "Mortgages",
    figureLead: "from",
    figure: RATES.mortgagesApr,
    figureNote: "for the home you live in",
    facts: [
      "Fixed and adjustable rates",
      "One loan officer from application to keys",
      "Repay early without a fee",
    ],
  },
  {
    id: "personal-loans",
    audience: "personal",
    name: "Personal loans",
    figureLead: "from",
    figure: RATES.personalLoansApr,
    figureNote: "for what cannot wait",
    facts: [
      "The payment stays the same every month",
      "Terms from one to seven years",
      "Decided here, by people you can call",
    ],
  },
  {
    id: "credit-card",
    audience: "personal",
    name: "Credit card",
    figure: RATES.creditCardApr,
    figureNote: `and ${RATES.creditCardCashBack} after that, always`,
    facts: [
      "Points you can see next to your balance",
      "Lock it in one tap, unlock it in another",
      "No fee to hold it",
    ],
  },
  {
    id: "business-checking",
    audience: "business",
    name: "Business checking",
    figure: RATES.businessCheckingTransactions,
    figureNote: "every month",
    facts: [
      "For sole owners and companies",
      "Export statements to your accounting",
      "A branch that knows your name",
    ],
  },
  {
    id: "business-savings",
    audience: "business",
    name: "Business savings",
    figureLead: "up to",
    figure: RATES.businessSavingsApy,
    figureNote: "on what you put aside",
    facts: [
      "Put aside what taxes will need",
      "No notice before you take money out",
      "Next to your checking in one place",
    ],
  },
  {
    id: "business-loans",
    audience: "business",
    name: "Business loans",
    figureLead: "from",
    figure: RATES.businessLoansApr,
    figureNote: "for the next step of your business",
    facts: [
      "For equipment, vehicles and premises",
      "Repayment that follows your season",
      "Talk to the person who decides",
    ],
  },
];

/** In the order of {@link PRODUCTS}. */
export function productsFor(audience: Audience): readonly Product[] {
  return PRODUCTS.filter((product) => product.audience === audience);
}

/** The audience whose tab holds a place on the page; personal when no product is named. */
export function audienceOf(productId: string): Audience {
  return PRODUCTS.find((product) => product.id === productId)?.audience ?? "personal";
}
