import { INSTITUTION } from "#shared/institution";
import { PhoneLink } from "../../../components/ui/PhoneLink";
import { TextLink, MailLink } from "../../../components/ui/TextLink";
import { LegalPage, LegalPart } from "./LegalPage";

export function SecurityPage() {
  return (
    <LegalPage
      title="Security"
      lead="How we protect your money, and the few things only you can do."
    >
      <LegalPart title="What we do">
        <ul>
          <li>Every sign-in takes a password and a one-time code.</li>
          <li>Wrong passwords and wrong codes are counted and slowed down.</li>
          <li>
            Each movement of money is booked twice, and the books are checked against each other.
          </li>
          <li>Staff actions are recorded in a log that cannot be edited.</li>
          <li>A session ends with the browser tab, and you can end every other one yourself.</li>
        </ul>
      </LegalPart>
      <LegalPart title="What you can do">
        <ul>
          <li>Use a long password that you use nowhere else, from a password manager.</li>
          <li>Never tell a code to anyone who calls or writes, whoever they say they are.</li>
          <li>Look at your recent transactions now and then, and lock a card you cannot find.</li>
          <li>Sign out on shared computers.</li>
        </ul>
      </LegalPart>
      <LegalPart title="We will never">
        <p>
          Ask for your password or a one-time code by phone, email or message, or send you a link to
          a sign-in page. Type the address yourself: {INSTITUTION.domain}.
        </p>
      </LegalPart>
      <LegalPart title="Something looks wrong?">
        <p>
          Call <PhoneLink /> ({INSTITUTION.supportHours}), write to{" "}
          <MailLink address={INSTITUTION.supportEmail} /> or use the{" "}
          <TextLink to="/contact">contact form</TextLink>. Report a weakness in this software the
          same way; we answer {INSTITUTION.responseTime}.
        </p>
      </LegalPart>
    </LegalPage>
  );
}
