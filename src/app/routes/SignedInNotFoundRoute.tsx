import { Route, Routes } from "react-router-dom";
import { ButtonLink } from "../../components/ui/ButtonLink";
import { useViewer } from "../../lib/convexViewer";
import { PATHS } from "../../lib/paths";
import { BackendFrame } from "../BackendFrame";
import { NotFound } from "../NotFound";
import { SignedInFrame } from "../SignedInFrame";

/** An unknown address keeps the frame of who is signed in. */
export function SignedInNotFoundRoute() {
  return (
    <Routes>
      <Route element={<BackendFrame />}>
        <Route element={<SignedInFrame />}>
          <Route path="*" element={<LostMember />} />
        </Route>
      </Route>
    </Routes>
  );
}

function LostMember() {
  const home = useViewer()?.home ?? PATHS.dashboard;
  return (
    <div className="py-10 md:py-14">
      <NotFound action={<ButtonLink to={home}>Go to your dashboard</ButtonLink>} />
    </div>
  );
}
