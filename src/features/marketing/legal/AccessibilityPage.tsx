import { INSTITUTION } from "#shared/institution";
import { PhoneLink } from "../../../components/ui/PhoneLink";
import { MailLink } from "../../../components/ui/TextLink";
import { LegalPage, LegalPart } from "./LegalPage";

export function AccessibilityPage() {
  return (
    <LegalPage
      title="Accessibility"
      lead="Everyone who owns this credit union should be able to use it, whatever they use to read or navigate."
    >
      <LegalPart title="What we aim for">
        <p>
          These pages are built to the Web Content Accessibility Guidelines 2.2, level AA. Each
          change is checked by automatic tests for labels, contrast, headings and keyboard use.
        </p>
      </LegalPart>
      <LegalPart title="What that means in practice">
        <ul>
          <li>Everything works with a keyboard alone, and the focus is always visible.</li>
          <li>Every field has a label; an error says what is wrong and what to do.</li>
          <li>Color never carries meaning alone: amounts have signs, and statuses have words.</li>
          <li>Text grows to 200 percent and pages fit a screen 320 pixels wide.</li>
          <li>Animations stop when your device asks for less motion.</li>
          <li>Codes and passwords can be pasted and filled by a password manager.</li>
        </ul>
      </LegalPart>
      <LegalPart title="What is still missing">
        <p>
          We have tested with the Chromium browser and automatic tools, and not yet with people who
          use screen readers every day.
        </p>
      </LegalPart>
      <LegalPart title="Tell us what gets in your way">
        <p>
          Write to <MailLink address={INSTITUTION.supportEmail} /> or call <PhoneLink />,{" "}
          {INSTITUTION.supportHours}. On the phone we help with signing in, lock a card, correct an
          entry and send you a statement.
        </p>
      </LegalPart>
    </LegalPage>
  );
}
