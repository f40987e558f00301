import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { BackOfficePage } from "../../features/adminNav/BackOfficePage";
import { PolicyList } from "../../features/adminPolicies/PolicyList";
import { usePolicies } from "../../features/adminPolicies/usePolicies";

export function AdminPoliciesRoute() {
  return (
    <BackOfficePage
      title="Policies"
      lead="Each rule has two values to choose from. A change takes effect at once, for everyone."
    >
      <ErrorBoundary name="The policies">
        <Policies />
      </ErrorBoundary>
    </BackOfficePage>
  );
}

function Policies() {
  return <PolicyList {...usePolicies()} />;
}
