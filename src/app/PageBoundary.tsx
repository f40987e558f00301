import type { ReactNode } from "react";
import { PageContainer } from "../components/layout/PageContainer";
import { ErrorBoundary } from "../components/ui/ErrorBoundary";

/** Contains the failure of a whole page, which otherwise would reach the edges of the window. */
export function PageBoundary({ children }: { readonly children: ReactNode }) {
  return (
    <ErrorBoundary
      name="This page"
      frame={(failure) => (
        <PageContainer width="form" className="py-8">
          {failure}
        </PageContainer>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}
