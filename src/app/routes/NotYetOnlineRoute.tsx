import { Navigate, useLocation } from "react-router-dom";
import { productPlace } from "../../features/marketing/content/productLinks";
import { NotYetOnlinePage } from "../../features/marketing/legal/NotYetOnlinePage";
import { PageMeta } from "../../features/marketing/PageMeta";
import { notYetOnlinePage } from "../../features/marketing/pages";

/** Links without a page: to the product they name, or to the honest notice. */
export function NotYetOnlineRoute() {
  const { pathname } = useLocation();
  const place = productPlace(pathname);
  if (place) return <Navigate to={place} replace />;
  return (
    <>
      <PageMeta page={notYetOnlinePage(pathname)} />
      <NotYetOnlinePage />
    </>
  );
}
