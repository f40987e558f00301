import { Compass } from "lucide-react";
import type { ReactNode } from "react";
import { PageContainer } from "../components/layout/PageContainer";
import { EmptyState } from "../components/ui/EmptyState";
import { PageHeading } from "../components/ui/PageHeading";

/** What an address outside this product shows; `action` leads back into it. */
export function NotFound({ action }: { readonly action: ReactNode }) {
  return (
    <PageContainer width="form" className="text-center">
      <PageHeading title="Page not found" />
      <EmptyState icon={<Compass />} title="There is nothing at this address." action={action}>
        It may have been typed wrong or moved. Your accounts are where you left them.
      </EmptyState>
    </PageContainer>
  );
}
