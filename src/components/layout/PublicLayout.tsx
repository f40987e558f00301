import { Outlet } from "react-router-dom";
import { Footer } from "./Footer";
import { PublicNavigation } from "./PublicNavigation";
import { ScrollToTop } from "./ScrollToTop";
import { SkipLink } from "./SkipLink";

/** The layout route of the public pages: skip link, navigation over the band, page, footer. */
export function PublicLayout() {
  return (
    <>
      <SkipLink />
      <PublicNavigation />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
      <ScrollToTop />
    </>
  );
}
