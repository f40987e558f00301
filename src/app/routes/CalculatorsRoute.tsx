import { PageMeta } from "../../features/marketing/PageMeta";
import { CalculatorsPage } from "../../features/marketing/calculators/CalculatorsPage";
import { PUBLIC_PAGES } from "../../features/marketing/pages";

export function CalculatorsRoute() {
  return (
    <>
      <PageMeta page={PUBLIC_PAGES.calculators} />
      <CalculatorsPage />
    </>
  );
}
