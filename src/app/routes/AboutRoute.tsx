import { PageMeta } from "../../features/marketing/PageMeta";
import { AboutPage } from "../../features/marketing/about/AboutPage";
import { PUBLIC_PAGES } from "../../features/marketing/pages";

export function AboutRoute() {
  return (
    <>
      <PageMeta page={PUBLIC_PAGES.about} />
      <AboutPage />
    </>
  );
}
