import { INSTITUTION } from "#shared/institution";

/** What search engines, link previews and the browser tab show of a public page. */
export interface PublicPage {
  readonly path: string;
  /** The document title without the institution's name. */
  readonly title: string;
  readonly description: string;
  /** Pages that only explain that something is missing stay out of indexes. */
  readonly isIndexed: boolean;
}

/** Every pre-rendered page; listed in the sitemap if it is indexed. */
export const PUBLIC_PAGES = {
  home: {
    path: "/",
    title: "Member-owned banking",
    description: `${INSTITUTION.fullName} belongs to the people who bank with it: checking, savings, loans and mortgages at member rates, and online banking that shows where your money is.`,
    isIndexed: true,
  },
  about: {
    path: "/about",
    title: "About",
    description: `Who owns ${INSTITUTION.fullName}, what we stand for, and our history since ${INSTITUTION.foundedYear}.`,
    isIndexed: true,
  },
  products: {
    path: "/products",
    title: "Products",
    description:
      "Checking, savings, mortgages, loans and cards for you and for your business, each with its rate and three facts.",
    isIndexed: true,
  },
  contact: {
    path: "/contact",
    title: "Contact",
    description: `Write to ${INSTITUTION.fullName}: every message gets a reference number and an answer ${INSTITUTION.responseTime}. Phone, email and support hours.`,
    isIndexed: true,
  },
  calculators: {
    path: "/calculators",
    title: "Loan calculator",
    description:
      "Work out the monthly payment, the total interest and the amortization table of a loan, and print it.",
    isIndexed: true,
  },
  privacy: {
    path: "/privacy",
    title: "Privacy",
    description: `What ${INSTITUTION.fullName} keeps about you, why, and who can see it.`,
    isIndexed: true,
  },
  terms: {
    path: "/terms",
    title: "Terms",
    description: `The rules of online banking with ${INSTITUTION.fullName}, in plain words.`,
    isIndexed: true,
  },
  accessibility: {
    path: "/accessibility",
    title: "Accessibility",
    description:
      "What we do so that everyone can use this site, and how to tell us what gets in your way.",
    isIndexed: true,
  },
  security: {
    path: "/security",
    title: "Security",
    description: "How we protect your money and your account, and the few things only you can do.",
    isIndexed: true,
  },
} as const satisfies Record<string, PublicPage>;

/** The page behind links that have none of their own. */
export function notYetOnlinePage(path: string): PublicPage {
  return {
    path,
    title: "This page is not available yet",
    description: "This part of the site is still to come. Contact us and we will help in person.",
    isIndexed: false,
  };
}

/** The public address of a path; `VITE_SITE_URL` names the origin of a real deployment. */
export function canonicalUrl(path: string): string {
  const origin = import.meta.env.VITE_SITE_URL || `https://${INSTITUTION.domain}`;
  return new URL(path, origin).href;
}
