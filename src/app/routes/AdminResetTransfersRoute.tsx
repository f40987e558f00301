import { ArrowLeft } from "lucide-react";
import { MESSAGES } from "#shared/errors";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { TextLink } from "../../components/ui/TextLink";
import { BackOfficePage } from "../../features/adminNav/BackOfficePage";
import { ResetTransferCounts } from "../../features/adminTransferCounts/ResetTransferCounts";
import { useResetTransferCounts } from "../../features/adminTransferCounts/useResetTransferCounts";
import { PATHS } from "../../lib/paths";

export function AdminResetTransfersRoute() {
  return (
    <BackOfficePage
      title="Reset Transfer Counts"
      lead="Members are blocked after two transfers. A reset lets them transfer again."
      isNarrow
      back={
        <TextLink to={PATHS.admin} className="inline-flex min-h-6 items-center gap-1.5">
          <ArrowLeft aria-hidden className="size-4" />
          Back to Admin Dashboard
        </TextLink>
      }
    >
      <ErrorBoundary name="The transfer counts" sentence={MESSAGES.FETCH_USERS_FAILED}>
        <Counts />
      </ErrorBoundary>
    </BackOfficePage>
  );
}

function Counts() {
  return <ResetTransferCounts {...useResetTransferCounts()} />;
}
