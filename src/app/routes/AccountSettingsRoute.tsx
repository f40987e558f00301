import { PageContainer } from "../../components/layout/PageContainer";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { PageHeading } from "../../components/ui/PageHeading";
import { TextLink } from "../../components/ui/TextLink";
import { PasswordCard } from "../../features/settings/PasswordCard";
import { SecurityEventsCard } from "../../features/settings/SecurityEventsCard";
import { SessionsCard } from "../../features/settings/SessionsCard";
import { ThemeCard } from "../../features/settings/ThemeCard";
import { PATHS } from "../../lib/paths";
import { useFrame } from "../frameContext";

/** Password, sessions, theme and recent security activity. */
export function AccountSettingsRoute() {
  const { signOut } = useFrame();
  return (
    <PageContainer width="form" className="py-8">
      <PageHeading title="Account Settings" />
      <p className="mt-2 text-muted">
        Contact details are under <TextLink to={PATHS.profileSettings}>Profile Settings</TextLink>.
      </p>
      <div className="mt-5 grid grid-cols-1 gap-5">
        <ErrorBoundary name="Password">
          <PasswordCard />
        </ErrorBoundary>
        <ErrorBoundary name="Active sessions">
          <SessionsCard onSignOut={signOut} />
        </ErrorBoundary>
        <ThemeCard />
        <ErrorBoundary name="Recent security activity">
          <SecurityEventsCard />
        </ErrorBoundary>
      </div>
    </PageContainer>
  );
}
