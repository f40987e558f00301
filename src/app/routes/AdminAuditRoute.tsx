export function AdminAuditRoute() {
  return null;
}
