import { countryName } from "#shared/countries";
import { plural } from "#shared/counts";
import { ageOn, dateOf } from "#shared/dates";
import { DefinitionList, type DefinitionItem } from "../../components/ui/DefinitionList";
import { useNow } from "../../hooks/useNow";
import { formatIsoDate } from "../../lib/format";
import type { UserDetailData } from "./userDetailData";

/** Read-only application data, in the groups of the application form. */
export function VerificationFacts({ user }: { user: UserDetailData }) {
  const todayIso = dateOf(useNow());
  const groups = [
    { title: "Personal information", items: personalItems(user, todayIso) },
    { title: "Address", items: addressItems(user) },
    { title: "Contact details", items: contactItems(user) },
    { title: "Emergency contact", items: emergencyItems(user) },
    { title: "ID document", items: documentItems(user) },
  ];
  return (
    <div className="grid content-start gap-5">
      {groups.map(({ title, items }) => (
        <section key={title} aria-label={title}>
          <h3 className="text-sub-title">{title}</h3>
          {items.length === 0 ? (
            <p className="py-2 text-sm text-muted">Nothing was provided.</p>
          ) : (
            <DefinitionList items={items} />
          )}
        </section>
      ))}
    </div>
  );
}

function personalItems(
  { personalInfo, name, email }: UserDetailData,
  todayIso: string,
): DefinitionItem[] {
  if (personalInfo === undefined) {
    return [
      { term: "Name", value: name },
      { term: "Email", value: email },
    ];
  }
  const { firstName, lastName, dateOfBirth } = personalInfo;
  const age = plural(ageOn(dateOfBirth, todayIso), "year");
  // Staff changed it since; the application stays as it was.
  const hasNewName = name !== `${firstName} ${lastName}`;
  const applied = hasNewName ? " in the application" : "";
  return [
    ...(hasNewName ? [{ term: "Name", value: name }] : []),
    { term: `First name${applied}`, value: firstName },
    { term: `Last name${applied}`, value: lastName },
    { term: "Email", value: email },
    { term: "Date of birth", value: `${formatIsoDate(dateOfBirth)} (${age} old)` },
    { term: "Nationality", value: personalInfo.nationality },
    { term: "Marital status", value: personalInfo.maritalStatus },
  ];
}

function addressItems({ personalInfo, flatAddress }: UserDetailData): DefinitionItem[] {
  const address = personalInfo?.address;
  if (address !== undefined) {
    return [
      { term: "Street", value: address.street },
      { term: "City", value: address.city },
      { term: "State", value: address.state },
      ...(address.country === undefined
        ? []
        : [{ term: "Country", value: countryName(address.country) }]),
      { term: "Postal code", value: address.postalCode },
    ];
  }
  if (flatAddress === undefined) return [];
  return [
    { term: "Street", value: flatAddress.street },
    { term: "City", value: flatAddress.city },
    { term: "State", value: flatAddress.state },
    { term: "ZIP code", value: flatAddress.zipCode },
  ];
}

function contactItems({ contactDetails, phone }: UserDetailData): DefinitionItem[] {
  const phoneNumber = contactDetails?.phoneNumber ?? phone;
  return [
    ...(phoneNumber === undefined ? [] : [{ term: "Phone", value: phoneNumber }]),
    ...(contactDetails?.alternativeEmail === undefined
      ? []
      : [{ term: "Alternative email", value: contactDetails.alternativeEmail }]),
  ];
}

function emergencyItems({ contactDetails }: UserDetailData): DefinitionItem[] {
  const contact = contactDetails?.emergencyContact;
  if (contact === undefined) return [];
  return [
    { term: "Name", value: contact.name },
    { term: "Relationship", value: contact.relationship },
    { term: "Phone", value: contact.phone },
  ];
}

function documentItems({ documents }: UserDetailData): DefinitionItem[] {
  if (documents === undefined) return [];
  return [
    ...(documents.idCardType === undefined ? [] : [{ term: "Type", value: documents.idCardType }]),
    ...(documents.idCardNumber === undefined
      ? []
      : [{ term: "Number", value: documents.idCardNumber }]),
  ];
}
