export function AdminHealthRoute() {
  return null;
}
