import { PageMeta } from "../../features/marketing/PageMeta";
import { PrivacyPage } from "../../features/marketing/legal/PrivacyPage";
import { PUBLIC_PAGES } from "../../features/marketing/pages";

export function PrivacyRoute() {
  return (
    <>
      <PageMeta page={PUBLIC_PAGES.privacy} />
      <PrivacyPage />
    </>
  );
}
