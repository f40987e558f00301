import { PageMeta } from "../../features/marketing/PageMeta";
import { HomePage } from "../../features/marketing/home/HomePage";
import { PUBLIC_PAGES } from "../../features/marketing/pages";

export function HomeRoute() {
  return (
    <>
      <PageMeta page={PUBLIC_PAGES.home} />
      <HomePage marketWidgetUrl={import.meta.env.VITE_MARKET_WIDGET_URL} />
    </>
  );
}
