import { PageMeta } from "../../features/marketing/PageMeta";
import { TermsPage } from "../../features/marketing/legal/TermsPage";
import { PUBLIC_PAGES } from "../../features/marketing/pages";

export function TermsRoute() {
  return (
    <>
      <PageMeta page={PUBLIC_PAGES.terms} />
      <TermsPage />
    </>
  );
}
