import { PageMeta } from "../../features/marketing/PageMeta";
import { SecurityPage } from "../../features/marketing/legal/SecurityPage";
import { PUBLIC_PAGES } from "../../features/marketing/pages";

export function SecurityRoute() {
  return (
    <>
      <PageMeta page={PUBLIC_PAGES.security} />
      <SecurityPage />
    </>
  );
}
