/** The pages that tests visit one after the other: for axe, for their width, as documents. */

/** Public pages that each have a document, a title and an entry in the sitemap. */
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
