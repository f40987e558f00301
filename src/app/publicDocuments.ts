/**
 * What scripts/prerender.ts writes: the public pages, the addresses that only lead elsewhere, and
 * the structured data of the institution.
 */
import { INSTITUTION } from "#shared/institution";
import { productPlace } from "../features/marketing/content/productLinks";
import {
  canonicalUrl,
  notYetOnlinePage,
  PUBLIC_PAGES,
  type PublicPage,
} from "../features/marketing/pages";
import { NOT_YET_ONLINE_PATHS, PATHS } from "../lib/paths";

export { canonicalUrl, type PublicPage };
export { renderPublicPage } from "./renderPublicPage";

/** Pages whose body is rendered at build time. */
export const RENDERED_PAGES: readonly PublicPage[] = [
  ...Object.values(PUBLIC_PAGES),
  ...NOT_YET_ONLINE_PATHS.filter((path) => productPlace(path) === undefined).map(notYetOnlinePage),
];

/** Pages with one of the application's forms: they can be read at once and used once it has loaded. */
export const FORM_PAGES: readonly PublicPage[] = [
  {
    path: PATHS.login,
    title: "Sign in",
    description: `Sign in to online banking with ${INSTITUTION.fullName}: your password, then a one-time code.`,
    isIndexed: true,
  },
  {
    path: PATHS.signup,
    title: "Open an account",
    description: `Apply for membership in ${INSTITUTION.fullName} online. A person reviews every application, typically within 1-2 business days.`,
    isIndexed: true,
  },
];

/** What an address outside this product serves, with status 404. */
export const NOT_FOUND_PAGE: PublicPage = {
  path: "/404",
  title: "Page not found",
  description: `There is nothing at this address of ${INSTITUTION.fullName}.`,
  isIndexed: false,
};

/** Pages that only the application draws, once it knows who is asking. */
export const APPLICATION_PATHS: readonly string[] = Object.values(PATHS).filter(
  (path) =>
    path !== PATHS.register &&
    ![...RENDERED_PAGES, ...FORM_PAGES].some((page) => page.path === path),
);

/** Addresses that redirect to another one, even without scripts. */
export const REDIRECTS: readonly { readonly from: string; readonly to: string }[] = [
  { from: PATHS.register, to: PATHS.signup },
  ...NOT_YET_ONLINE_PATHS.flatMap((from) => {
    const to = productPlace(from);
    return to === undefined ? [] : [{ from, to }];
  }),
];

/** The institution for search engines (schema.org). */
export function structuredData(): Readonly<Record<string, unknown>> {
  return {
    "@context": "https://schema.org",
    "@type": "BankOrCreditUnion",
    name: INSTITUTION.fullName,
    legalName: INSTITUTION.legalName,
    description: "A fictional credit union: this site is a demonstration product.",
    url: canonicalUrl("/"),
    logo: canonicalUrl("/icon-512.png"),
    image: canonicalUrl("/og.png"),
    foundingDate: String(INSTITUTION.foundedYear),
    email: INSTITUTION.supportEmail,
    telephone: INSTITUTION.supportPhone,
    openingHours: "Mo-Fr 08:00-20:00",
  };
}
