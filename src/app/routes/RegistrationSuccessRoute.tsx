import { Check } from "lucide-react";
import { TEXTS } from "#shared/texts";
import { PageContainer } from "../../components/layout/PageContainer";
import { StatusLayout } from "../../components/layout/StatusLayout";
import { ButtonLink } from "../../components/ui/ButtonLink";
import { PageHeading } from "../../components/ui/PageHeading";
import { PATHS } from "../../lib/paths";

/** After the application: under review, what happens next, a link back home. */
export function RegistrationSuccessRoute() {
  return (
    <StatusLayout>
      <PageContainer width="form">
        <div className="grid justify-items-center gap-4 py-8 text-center">
          <span
            aria-hidden
            className="grid size-16 place-items-center rounded-pill bg-pos-soft text-pos"
          >
            <Check className="size-8" strokeWidth={2.5} />
          </span>
          <PageHeading title="Application submitted" />
          <p className="text-base font-semibold">{TEXTS.registrationUnderReview}.</p>
          <p className="max-w-[52ch] text-muted">
            {TEXTS.pendingApprovalTime} {TEXTS.pendingApprovalEmail} You can follow it at any time
            by signing in.
          </p>
          <div className="mt-4 flex flex-wrap justify-center gap-3">
            <ButtonLink to={PATHS.home}>Back to home</ButtonLink>
            <ButtonLink to={PATHS.pendingApproval} variant="secondary">
              See application status
            </ButtonLink>
          </div>
        </div>
      </PageContainer>
    </StatusLayout>
  );
}
