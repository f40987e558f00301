import { Compass } from "lucide-react";
import { PageContainer } from "../../components/layout/PageContainer";
import { StatusLayout } from "../../components/layout/StatusLayout";
import { ButtonLink } from "../../components/ui/ButtonLink";
import { EmptyState } from "../../components/ui/EmptyState";
import { PageHeading } from "../../components/ui/PageHeading";
import { PATHS } from "../../lib/paths";

/** An address that is not of this product. */
export function NotFoundRoute() {
  return (
    <StatusLayout>
      <PageContainer width="form" className="text-center">
        <PageHeading title="Page not found" />
        <EmptyState
          icon={<Compass />}
          title="There is nothing at this address."
          action={<ButtonLink to={PATHS.home}>Go to the home page</ButtonLink>}
        >
          It may have been typed wrong or moved. Your accounts are where you left them.
        </EmptyState>
      </PageContainer>
    </StatusLayout>
  );
}
