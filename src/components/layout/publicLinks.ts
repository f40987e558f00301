/** The links of the public frame: navigation and footer (spec section 2 "Public pages"). */

export interface PublicLink {
  readonly to: string;
  readonly label: string;
}

export const NAVIGATION_LINKS: readonly PublicLink[] = [
  { to: "/", label: "Home" },
  { to: "/about", label: "About" },
  { to: "/products", label: "Products" },
  { to: "/contact", label: "Contact" },
];

export const FOOTER_COLUMNS: readonly { title: string; links: readonly PublicLink[] }[] = [
  {
    title: "Quick links",
    links: [
      { to: "/about", label: "About us" },
      { to: "/locations", label: "Locations" },
      { to: "/careers", label: "Careers" },
      { to: "/community", label: "Community" },
      { to: "/calculators", label: "Calculators" },
      { to: "/schedule", label: "Schedule a visit" },
    ],
  },
  {
    title: "Products",
    links: [
      { to: "/accounts/checking", label: "Checking" },
      { to: "/accounts/savings", label: "Savings" },
      { to: "/credit-cards", label: "Credit cards" },
      { to: "/mortgages", label: "Mortgages" },
      { to: "/loans", label: "Personal loans" },
      { to: "/investments", label: "Investments" },
    ],
  },
  {
    title: "For business",
    links: [
      { to: "/business/register", label: "Open a business account" },
      { to: "/business/savings", label: "Business savings" },
      { to: "/business/loans", label: "Business loans" },
      { to: "/business/credit-card", label: "Business credit card" },
      { to: "/merchant-services", label: "Merchant services" },
      { to: "/treasury-management", label: "Treasury management" },
    ],
  },
];

export const LEGAL_LINKS: readonly PublicLink[] = [
  { to: "/privacy", label: "Privacy" },
  { to: "/terms", label: "Terms" },
  { to: "/accessibility", label: "Accessibility" },
  { to: "/security", label: "Security" },
];
