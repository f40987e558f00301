import type { ReactNode } from "react";
import { Footer } from "./Footer";
import { PublicNavigation } from "./PublicNavigation";
import { ScrollToTop } from "./ScrollToTop";
import { SkipLink } from "./SkipLink";

/** The frame of every public page: skip link, navigation over the band, page, footer. */
export function PublicLayout({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <PublicNavigation />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <ScrollToTop />
    </>
  );
}
