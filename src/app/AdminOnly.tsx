import { Navigate, Outlet } from "react-router-dom";
import { useViewer } from "../lib/convexViewer";
import { PATHS } from "../lib/paths";

/** Inside the signed-in frame: pages for administrators; everyone else goes to the sign-in page. */
export function AdminOnly() {
  const viewer = useViewer();
  return viewer?.place === "admin" ? <Outlet /> : <Navigate to={PATHS.login} replace />;
}
