import { PageContainer } from "../../components/layout/PageContainer";
import { ErrorBoundary } from "../../components/ui/ErrorBoundary";
import { PageHeading } from "../../components/ui/PageHeading";
import { TextLink } from "../../components/ui/TextLink";
import { ProfileSettings } from "../../features/settings/ProfileSettings";
import { PATHS } from "../../lib/paths";

/** Who the member is and how to reach them. */
export function ProfileSettingsRoute() {
  return (
    <PageContainer width="form" className="py-8">
      <PageHeading title="Profile Settings" />
      <p className="mt-2 text-muted">
        Password, sessions and theme are under{" "}
        <TextLink to={PATHS.accountSettings}>Account Settings</TextLink>.
      </p>
      <div className="mt-5">
        <ErrorBoundary name="Your profile">
          <ProfileSettings />
        </ErrorBoundary>
      </div>
    </PageContainer>
  );
}
