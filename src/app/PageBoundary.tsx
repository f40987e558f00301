import { Fragment, type ReactNode } from "react";
import { PageContainer } from "../components/layout/PageContainer";
import { ErrorBoundary } from "../components/ui/ErrorBoundary";

/** Contains the failure of a whole page, which otherwise would reach the edges of the window. */
export function PageBoundary({
  isOutermost = false,
  children,
}: {
  /** The landmark of the page is inside, too. */
  readonly isOutermost?: boolean;
  readonly children: ReactNode;
}) {
  const Landmark = isOutermost ? "main" : Fragment;
  return (
    <ErrorBoundary
      name="This page"
      frame={(failure) => (
        <Landmark>
          <PageContainer width="form" className="py-8">
            {failure}
          </PageContainer>
        </Landmark>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}
