import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { Approvals } from "../../features/adminApprovals/Approvals";
import { BackOfficePage } from "../../features/adminNav/BackOfficePage";

export function AdminApprovalsRoute() {
  return (
    <BackOfficePage
      title="Approvals"
      lead="Changes that one administrator may not make alone. A second one approves or refuses them."
    >
      <ErrorBoundary name="The approvals">
        <Approvals />
      </ErrorBoundary>
    </BackOfficePage>
  );
}
