import { INSTITUTION } from "#shared/institution";
import { ButtonLink } from "../../../components/ui/ButtonLink";
import { PhoneLink } from "../../../components/ui/PhoneLink";
import { MailLink } from "../../../components/ui/TextLink";
import { PageHero } from "../PageHero";

/** The honest notice behind links that have no page of their own. */
export function NotYetOnlinePage() {
  return (
    <>
      <PageHero
        title="This page is not available yet"
        lead="The link is right, but the page behind it is still to come."
      />
      <div className="mx-auto max-w-public px-4 py-10 md:px-6 md:py-14">
        <p className="max-w-[60ch] text-base text-muted">
          Until then we are glad to help in person: <PhoneLink />, {INSTITUTION.supportHours}, or{" "}
          <MailLink address={INSTITUTION.supportEmail} />.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <ButtonLink to="/">Home</ButtonLink>
          <ButtonLink to="/contact" variant="secondary">
            Contact us
          </ButtonLink>
        </div>
      </div>
    </>
  );
}
