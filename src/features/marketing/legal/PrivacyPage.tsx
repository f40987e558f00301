import { INSTITUTION } from "#shared/institution";
import { MailLink } from "../../../components/ui/TextLink";
import { LegalPage, LegalPart } from "./LegalPage";

export function PrivacyPage() {
  return (
    <LegalPage
      title="Privacy"
      lead="What we keep about you, why, and who can see it. No advertising, no tracking, no sale of data."
    >
      <LegalPart title="What we keep">
        <ul>
          <li>What you enter when you apply, edit your profile or write to us.</li>
          <li>Your accounts, transfers, payments, deposits and the photos of deposited checks.</li>
          <li>
            Security records: sign-ins, changed passwords, and which device a session belongs to.
          </li>
        </ul>
      </LegalPart>
      <LegalPart title="Who can see it">
        <p>
          You can see your own accounts, payments and contact details. Staff see what they need for
          a review or a correction, and every change they make is written to an audit log: who made
          it, what was there before and after, and why, where a reason was given.
        </p>
        <p>
          A member to whom you send money sees your name, the amount and your reference. A member
          who looks you up by email before sending sees your name only.
        </p>
      </LegalPart>
      <LegalPart title="What stays on your device">
        <p>
          Your session ends with the browser tab, and so do drafts of unfinished forms, which never
          hold a password. Your choice of light or dark stays on the device until you remove it.
          There are no advertising or analytics cookies.
        </p>
      </LegalPart>
      <LegalPart title="Requests to others">
        <p>
          These pages load nothing from other companies. The market overview on the home page may be
          provided by a third party; if so, it runs in an isolated frame and learns nothing about
          your accounts.
        </p>
      </LegalPart>
      <LegalPart title="Your questions">
        <p>
          Ask for a copy or a correction at <MailLink address={INSTITUTION.supportEmail} />. We
          answer {INSTITUTION.responseTime}. A credit union has to keep its records, so we cannot
          delete them on request.
        </p>
      </LegalPart>
    </LegalPage>
  );
}
