import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { HealthPanels } from "../../features/adminHealth/HealthPanels";
import { useHealth } from "../../features/adminHealth/useHealth";
import { BackOfficePage } from "../../features/adminNav/BackOfficePage";

export function AdminHealthRoute() {
  return (
    <BackOfficePage
      title="Health"
      lead="Whether the books balance and whether work is waiting or has failed."
    >
      <ErrorBoundary name="The health page">
        <Health />
      </ErrorBoundary>
    </BackOfficePage>
  );
}

function Health() {
  return <HealthPanels {...useHealth()} />;
}
