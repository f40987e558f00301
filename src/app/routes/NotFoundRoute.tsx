import { StatusLayout } from "../../components/layout/StatusLayout";
import { ButtonLink } from "../../components/ui/ButtonLink";
import { useStoredSession } from "../../lib/convexSession";
import { lazyPage } from "../../lib/lazyPart";
import { PATHS } from "../../lib/paths";
import { NotFound } from "../NotFound";

const SignedInNotFoundRoute = lazyPage(
  () => import("./SignedInNotFoundRoute"),
  "SignedInNotFoundRoute",
);

/** An address outside this product. Only a tab with a session loads the Convex client for it. */
export function NotFoundRoute() {
  if (useStoredSession()) return <SignedInNotFoundRoute />;
  return (
    <StatusLayout>
      <NotFound action={<ButtonLink to={PATHS.home}>Go to the home page</ButtonLink>} />
    </StatusLayout>
  );
}
