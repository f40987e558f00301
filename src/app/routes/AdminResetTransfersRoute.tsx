export function AdminResetTransfersRoute() {
  return null;
}
