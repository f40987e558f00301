export function AdminDepositsRoute() {
  return null;
}
