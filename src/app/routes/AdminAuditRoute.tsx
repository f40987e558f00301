import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { AuditFilters } from "../../features/adminAudit/AuditFilters";
import { AuditList } from "../../features/adminAudit/AuditList";
import { useAuditLog } from "../../features/adminAudit/useAuditLog";
import { BackOfficePage } from "../../features/adminNav/BackOfficePage";

export function AdminAuditRoute() {
  return (
    <BackOfficePage
      title="Audit log"
      lead="Who did what, when and why. Entries are written with the change itself and never edited."
    >
      <ErrorBoundary name="The audit log">
        <AuditLog />
      </ErrorBoundary>
    </BackOfficePage>
  );
}

function AuditLog() {
  const { filters, list } = useAuditLog();
  return (
    <>
      <AuditFilters {...filters} />
      <AuditList {...list} />
    </>
  );
}
