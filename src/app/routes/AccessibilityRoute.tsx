import { PageMeta } from "../../features/marketing/PageMeta";
import { AccessibilityPage } from "../../features/marketing/legal/AccessibilityPage";
import { PUBLIC_PAGES } from "../../features/marketing/pages";

export function AccessibilityRoute() {
  return (
    <>
      <PageMeta page={PUBLIC_PAGES.accessibility} />
      <AccessibilityPage />
    </>
  );
}
