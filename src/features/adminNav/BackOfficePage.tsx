import type { ReactNode } from "react";
import clsx from "clsx";
import { PageContainer } from "../../components/layout/PageContainer";
import { PageHeading } from "../../components/ui/PageHeading";
import { BackOfficeNav } from "./BackOfficeNav";

/** Frame of every page of the back office: its navigation, the heading, then the page's content. */
export function BackOfficePage({
  title,
  lead,
  back,
  actions,
  isNarrow = false,
  children,
}: {
  title: string;
  /** One line under the title. */
  lead?: ReactNode;
  /** A link back to the parent page. */
  back?: ReactNode;
  /** Buttons to the right of the title. */
  actions?: ReactNode;
  /** A reading column instead of the full width. */
  isNarrow?: boolean;
  children: ReactNode;
}) {
  return (
    <PageContainer width="admin" className="grid grid-cols-1 gap-5 pt-4 pb-12 md:pt-5">
      <BackOfficeNav />
      <div className={clsx("grid grid-cols-1 gap-5", isNarrow && "mx-auto w-full max-w-[48rem]")}>
        {back !== undefined && <p>{back}</p>}
        <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
          <div className="min-w-0">
            <PageHeading title={title} />
            {lead !== undefined && <p className="mt-1 max-w-[75ch] text-muted">{lead}</p>}
          </div>
          {actions !== undefined && (
            <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-auto">{actions}</div>
          )}
        </header>
        {children}
      </div>
    </PageContainer>
  );
}
