import { Navigate, Outlet } from "react-router-dom";
import { useViewer } from "../lib/convexViewer";
import { PATHS } from "../lib/paths";

/** Pages for administrators, inside the signed-in frame; everyone else goes to the sign-in page. */
export function AdminOnly() {
  const viewer = useViewer();
  return viewer?.place === "admin" ? <Outlet /> : <Navigate to={PATHS.login} replace />;
}
