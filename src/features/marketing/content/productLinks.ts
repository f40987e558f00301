/** Links of spec section 2 that name a product, with its place on /products. */
const PLACES: Readonly<Record<string, string>> = {
  "/accounts/checking": "checking",
  "/accounts/savings": "savings",
  "/credit-cards": "credit-card",
  "/credit-card": "credit-card",
  "/mortgages": "mortgages",
  "/loans": "personal-loans",
  "/business/loans": "business-loans",
  "/business/savings": "business-savings",
};

/** Where a product link leads, or undefined for links of another kind. */
export function productPlace(path: string): string | undefined {
  const place = PLACES[path];
  return place && `/products#${place}`;
}
