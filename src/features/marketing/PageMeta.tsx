import { useEffect } from "react";
import { canonicalUrl, type PublicPage } from "./pages";

/**
 * Updates description and canonical address on a client route change. Pre-rendered documents already carry them; the
 * title belongs to the page's heading.
 */
export function PageMeta({ page }: { readonly page: PublicPage }) {
  useEffect(() => {
    setAttribute('meta[name="description"]', "content", page.description);
    setAttribute('link[rel="canonical"]', "href", canonicalUrl(page.path));
  }, [page]);
  return null;
}

function setAttribute(selector: string, name: string, value: string): void {
  document.head.querySelector(selector)?.setAttribute(name, value);
}
