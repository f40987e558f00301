import { Button } from "../../components/ui/Button";
import { ButtonLink } from "../../components/ui/ButtonLink";
import { PageHeading } from "../../components/ui/PageHeading";

/** The sign-in page for someone who is signed in already (or lacks the right to a page). */
export function SignedInStep({
  name,
  home,
  onSignOut,
}: {
  name: string;
  home: string;
  onSignOut: () => void;
}) {
  return (
    <>
      <PageHeading title="Welcome Back" />
      <p className="mt-2 text-base wrap-anywhere text-muted">
        You are signed in as <strong className="font-semibold text-ink">{name}</strong>.
      </p>
      <div className="mt-7 grid gap-3">
        <ButtonLink to={home} size="lg" isFullWidth>
          Continue to your accounts
        </ButtonLink>
        <Button variant="secondary" size="lg" isFullWidth onClick={onSignOut}>
          Sign in as someone else
        </Button>
      </div>
    </>
  );
}
