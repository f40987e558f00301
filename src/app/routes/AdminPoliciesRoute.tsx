export function AdminPoliciesRoute() {
  return null;
}
