import { PageMeta } from "../../features/marketing/PageMeta";
import { ProductsPage } from "../../features/marketing/products/ProductsPage";
import { PUBLIC_PAGES } from "../../features/marketing/pages";

export function ProductsRoute() {
  return (
    <>
      <PageMeta page={PUBLIC_PAGES.products} />
      <ProductsPage />
    </>
  );
}
