export function AdminMessagesRoute() {
  return null;
}
