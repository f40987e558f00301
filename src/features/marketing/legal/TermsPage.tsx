import { INSTITUTION } from "#shared/institution";
import { LegalPage, LegalPart } from "./LegalPage";

export function TermsPage() {
  return (
    <LegalPage
      title="Terms"
      lead="The rules of online banking with us, as short as we could make them."
    >
      <LegalPart title="This is a demonstration">
        <p>
          {INSTITUTION.legalName} is a fictional institution. No account holds real money, and
          nothing on these pages is an offer of a financial product.
        </p>
      </LegalPart>
      <LegalPart title="Membership">
        <p>
          Membership starts when a person has reviewed and approved your application. A review
          typically takes 1-2 business days. We may ask for more information, and if we decline we
          say why.
        </p>
      </LegalPart>
      <LegalPart title="Signing in">
        <p>
          Keep your password and your one-time codes to yourself. Tell us at once if you think
          someone else knows them. We never ask for a code by phone or email.
        </p>
      </LegalPart>
      <LegalPart title="Transfers, payments and deposits">
        <ul>
          <li>A transfer is final once it is confirmed. Check the recipient before you confirm.</li>
          <li>
            For security reasons the number of transfers is limited; support can lift the limit.
          </li>
          <li>Scheduled payments can be canceled until the day they are made.</li>
          <li>A deposited check is credited after its photos have been reviewed.</li>
        </ul>
      </LegalPart>
      <LegalPart title="When something is wrong">
        <p>
          Support answers {INSTITUTION.supportHours}. Corrections are made with a matching entry in
          our books; an entry that was wrong then leaves your history and your statements.
        </p>
      </LegalPart>
    </LegalPage>
  );
}
