/**
 * An application corrected by staff: what it says now, and the refusals of a change. Ours: the specification has none.
 *
 * The rules are those of the sign-up, for what changes only. Not here: name and e-mail of a person (rules/identity),
 * what members change themselves (rules/profile).
 */
import type { Infer } from "convex/values";
import type { vContactDetails, vDocuments, vPersonalInfo } from "../personFields";
import type { Rule } from "./rule";
import { APPLICATION_RULES, applicationOf, type Application } from "./signup";

/** Every field by its name in sentences, in the order of the form. */
export const APPLICATION_WORDS: Readonly<Record<keyof Application, string>> = {
  firstName: "first name",
  lastName: "last name",
  dateOfBirth: "date of birth",
  nationality: "nationality",
  maritalStatus: "marital status",
  street: "street",
  city: "city",
  state: "state",
  country: "country",
  postalCode: "postal code",
  phoneNumber: "phone number",
  alternativeEmail: "alternative email",
  emergencyName: "emergency contact's name",
  emergencyRelationship: "emergency contact's relationship",
  emergencyPhone: "emergency contact's phone",
  idCardType: "ID type",
  idCardNumber: "ID number",
};
const APPLICATION_FIELDS = Object.keys(APPLICATION_WORDS) as (keyof Application)[];

/** The parts of a person's record in which an application is kept. */
type ApplicationRecord = {
  readonly phone?: string | undefined;
  readonly personalInfo?: Infer<typeof vPersonalInfo> | undefined;
  readonly contactDetails?: Infer<typeof vContactDetails> | undefined;
  readonly documents?: Infer<typeof vDocuments> | undefined;
};

/** The application as its form has it, empty texts for what is missing; null for people who never applied. */
export function applicationIn(record: ApplicationRecord): Application | null {
  const { personalInfo, contactDetails, documents } = record;
  if (personalInfo === undefined) return null;
  const { address, ...person } = personalInfo;
  const emergency = contactDetails?.emergencyContact;
  return {
    ...person,
    ...address,
    country: address.country ?? "",
    phoneNumber: contactDetails?.phoneNumber ?? record.phone ?? "",
    alternativeEmail: contactDetails?.alternativeEmail ?? "",
    emergencyName: emergency?.name ?? "",
    emergencyRelationship: emergency?.relationship ?? "",
    emergencyPhone: emergency?.phone ?? "",
    idCardType: documents?.idCardType ?? "",
    idCardNumber: documents?.idCardNumber ?? "",
  };
}

/** The fields in which two applications differ, as they would be written. */
export function changedFields(one: Application, other: Application): (keyof Application)[] {
  const [before, after] = [applicationOf(one), applicationOf(other)];
  return APPLICATION_FIELDS.filter((field) => before[field] !== after[field]);
}

/** Kept together: whoever adds a name has to add how to reach that person. */
const EMERGENCY_FIELDS = ["emergencyName", "emergencyRelationship", "emergencyPhone"] as const;
const isEmergency = (field: string): boolean =>
  (EMERGENCY_FIELDS as readonly string[]).includes(field);

type CorrectionFacts = {
  readonly todayIso: string;
  /** What the application says now: what stays as it is may be as old as it likes. */
  readonly now: Application;
};

export const CORRECTION_RULES: readonly Rule<Application, CorrectionFacts>[] = [
  ...APPLICATION_RULES.map((rule): Rule<Application, CorrectionFacts> => ({
    ...rule,
    refuses: (draft, { todayIso, now }) => {
      const { field = "" } = rule;
      const isConcerned = (changed: string): boolean =>
        changed === field || (isEmergency(changed) && isEmergency(field));
      return changedFields(now, draft).some(isConcerned) && rule.refuses(draft, { todayIso });
    },
  })),
  { code: "NOTHING_CHANGED", refuses: (draft, { now }) => changedFields(now, draft).length === 0 },
];
