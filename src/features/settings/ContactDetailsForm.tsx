import { countryName } from "#shared/countries";
import { MESSAGES, type ErrorCode } from "#shared/errors";
import {
  CONTACT_DETAILS_RULES,
  contactDetailsCommand,
  type ContactDetailsCommand,
} from "#shared/rules/profile";
import { refusalsByField } from "#shared/rules/rule";
import { useId, useState, type FormEvent } from "react";
import { Button } from "../../components/ui/Button";
import { Combobox } from "../../components/ui/Combobox";
import { ErrorSummary } from "../../components/ui/ErrorSummary";
import { FormAlert } from "../../components/ui/FormAlert";
import { TextInput } from "../../components/ui/TextInput";
import { COUNTRY_NAME_OPTIONS } from "../../lib/countryOptions";
import { useContactEdits, type ContactDetails, type ContactField } from "./useContactEdits";

interface ContactDetailsFormProps {
  readonly details: ContactDetails;
  readonly isBusy: boolean;
  /** The server's refusal. */
  readonly message: string | undefined;
  readonly disabledReason: string | undefined;
  readonly onEdit: () => void;
  /** Resolves to whether the details were saved. */
  readonly onSubmit: (command: ContactDetailsCommand) => Promise<boolean>;
}

const PHONE_LABEL = "Phone Number";

const ADDRESS_FIELDS = [
  { name: "street", label: "Street Address", autoComplete: "address-line1" },
  { name: "city", label: "City", autoComplete: "address-level2" },
  { name: "state", label: "State", autoComplete: "address-level1" },
  { name: "postalCode", label: "Postal Code", autoComplete: "postal-code" },
] as const;

const EMERGENCY_FIELDS = [
  { name: "emergencyName", part: "name", label: "Contact Name", type: "text" },
  { name: "emergencyRelationship", part: "relationship", label: "Relationship", type: "text" },
  { name: "emergencyPhone", part: "phone", label: "Contact Phone", type: "tel" },
] as const;

const COUNTRY_LABEL = "Country";
const LABELS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...ADDRESS_FIELDS, ...EMERGENCY_FIELDS].map(({ name, label }) => [name, label]),
  ),
  country: COUNTRY_LABEL,
};

interface FieldRefusal {
  readonly field: string;
  readonly code: ErrorCode;
}

/** A problem that several fields may have names its field; the others have their own sentence in the catalogue. */
function sentence({ field, code }: FieldRefusal): string {
  const label = LABELS[field] ?? PHONE_LABEL;
  if (code === "FILL_REQUIRED_FIELDS") return `${label} is required`;
  return code === "INVALID_TEXT" ? `${label}: ${MESSAGES[code]}` : MESSAGES[code];
}

/** The member's own contact details. */
export function ContactDetailsForm(props: ContactDetailsFormProps) {
  const { details, disabledReason } = props;
  const formId = useId();
  const { draft, setField, forgetSaved } = useContactEdits(details);
  const [attempt, setAttempt] = useState(0);
  const [refusals, setRefusals] = useState<readonly FieldRefusal[]>([]);
  const idOf = (field: string) => `${formId}-${field}`;
  const problems = refusals.map((refusal) => ({ ...refusal, message: sentence(refusal) }));
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.message;
  const edit = (field: ContactField, text: string) => {
    setField(field, text);
    // A corrected field is unmarked at once; the others wait for the next submission.
    setRefusals(refusals.filter((refusal) => refusal.field !== field));
    props.onEdit();
  };
  const save = async () => {
    if (await props.onSubmit(contactDetailsCommand.parse(draft))) forgetSaved();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = refusalsByField(CONTACT_DETAILS_RULES, draft, undefined);
    setRefusals(found);
    setAttempt(attempt + 1);
    if (found.length === 0) void save();
  };
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-5">
      <ErrorSummary
        attempt={attempt}
        {...(problems.some(({ code }) => code === "FILL_REQUIRED_FIELDS")
          ? { lead: MESSAGES.FILL_REQUIRED_FIELDS }
          : {})}
        problems={problems.map(({ field, message }) => ({ fieldId: idOf(field), message }))}
      />
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-x-3">
        <TextInput
          id={idOf("phone")}
          label={PHONE_LABEL}
          type="tel"
          autoComplete="tel"
          value={draft.phone}
          onChange={(event) => edit("phone", event.target.value)}
          error={errorOf("phone")}
        />
        <TextInput
          id={idOf("alternativeEmail")}
          label="Alternative Email"
          isOptional
          type="email"
          autoComplete="email"
          value={draft.alternativeEmail ?? ""}
          onChange={(event) => edit("alternativeEmail", event.target.value)}
          error={errorOf("alternativeEmail")}
        />
        {ADDRESS_FIELDS.map(({ name, label, autoComplete }) => (
          <TextInput
            key={name}
            id={idOf(name)}
            label={label}
            autoComplete={autoComplete}
            fieldClassName={name === "street" ? "sm:col-span-2" : undefined}
            value={draft.address[name]}
            onChange={(event) => edit(name, event.target.value)}
            error={errorOf(name)}
          />
        ))}
        {/* Only the record of an application has a place for one: elsewhere it would be lost. */}
        {details.address.country !== undefined && (
          <Combobox
            id={idOf("country")}
            label={COUNTRY_LABEL}
            isOptional
            options={COUNTRY_NAME_OPTIONS}
            emptyText="No countries found."
            placeholder="Search countries"
            // The application stores the country's name; older records may hold a code.
            value={countryName(draft.address.country ?? "")}
            onValueChange={(country) => edit("country", country)}
            error={errorOf("country")}
          />
        )}
      </div>
      <EmergencyFields contact={draft.emergencyContact} {...{ idOf, errorOf, edit }} />
      <FormAlert>{props.message}</FormAlert>
      <div className="flex flex-wrap items-center gap-4 max-sm:*:w-full">
        <Button
          type="submit"
          isBusy={props.isBusy}
          busyLabel="Saving..."
          disabled={disabledReason !== undefined}
        >
          Save changes
        </Button>
        {disabledReason !== undefined && <p className="text-sm text-muted">{disabledReason}</p>}
      </div>
    </form>
  );
}

function EmergencyFields({
  contact,
  idOf,
  errorOf,
  edit,
}: {
  contact: ContactDetails["emergencyContact"];
  idOf: (field: string) => string;
  errorOf: (field: string) => string | undefined;
  edit: (field: ContactField, text: string) => void;
}) {
  return (
    <fieldset className="grid gap-5 sm:grid-cols-2 sm:gap-x-3">
      <legend className="text-sub-title mb-3">Emergency contact</legend>
      {EMERGENCY_FIELDS.map(({ name, part, label, type }) => (
        <TextInput
          key={name}
          id={idOf(name)}
          label={label}
          type={type}
          autoComplete="off"
          value={contact?.[part] ?? ""}
          onChange={(event) => edit(name, event.target.value)}
          error={errorOf(name)}
        />
      ))}
    </fieldset>
  );
}
