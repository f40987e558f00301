/** The pages that are looked at one after the other: by axe, for their width, as documents. */

/** Public pages with a document, a title and a place in the sitemap of their own. */
export const PUBLIC_PAGES = [
  "/",
  "/about",
  "/products",
  "/contact",
  "/calculators",
  "/privacy",
  "/terms",
  "/accessibility",
  "/security",
  "/login",
  "/signup",
] as const;

/** Every page and panel of a signed-in member. */
export const MEMBER_PAGES = [
  "/dashboard",
  "/dashboard#quick-actions-billpay",
  "/dashboard#quick-actions-deposit",
  "/dashboard#quick-actions-cards",
  "/dashboard#quick-actions-statements",
  "/transactions",
  "/settings/profile",
  "/settings/account",
] as const;
