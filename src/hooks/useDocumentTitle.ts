import { useEffect } from "react";
import { INSTITUTION } from "#shared/institution";

/** Sets the document title to "{page} · {institution}". */
export function useDocumentTitle(page: string): void {
  useEffect(() => {
    document.title = `${page} · ${INSTITUTION.fullName}`;
  }, [page]);
}
