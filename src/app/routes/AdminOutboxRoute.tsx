export function AdminOutboxRoute() {
  return null;
}
