import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { DepositDesk } from "../../features/adminDeposits/DepositDesk";
import { BackOfficePage } from "../../features/adminNav/BackOfficePage";

export function AdminDepositsRoute() {
  return (
    <BackOfficePage
      title="Deposits"
      lead="Checks photographed by members. Nothing is posted until it is approved here."
    >
      <ErrorBoundary name="The deposit queue">
        <DepositDesk />
      </ErrorBoundary>
    </BackOfficePage>
  );
}
