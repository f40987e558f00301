import { useDraft } from "../../hooks/useDraft";

export interface ContactDetails {
  readonly phone: string;
  readonly alternativeEmail?: string | undefined;
  readonly address: {
    readonly street: string;
    readonly city: string;
    readonly state: string;
    readonly country?: string | undefined;
    readonly postalCode: string;
  };
  readonly emergencyContact?:
    { readonly name: string; readonly relationship: string; readonly phone: string } | undefined;
}

type EmergencyField = "emergencyName" | "emergencyRelationship" | "emergencyPhone";
export type ContactField =
  "phone" | "alternativeEmail" | keyof ContactDetails["address"] | EmergencyField;
type Edits = Readonly<Partial<Record<ContactField, string>>>;

const UNTOUCHED: { readonly edits: Edits } = { edits: {} };

const textsOf = (details: ContactDetails): Edits => {
  const { phone, alternativeEmail, address, emergencyContact } = details;
  const texts = {
    phone,
    alternativeEmail,
    ...address,
    emergencyName: emergencyContact?.name,
    emergencyRelationship: emergencyContact?.relationship,
    emergencyPhone: emergencyContact?.phone,
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
};

/** The `edits` that differ from `texts`. */
function without(edits: Edits, texts: Edits): { readonly edits: Edits } {
  const left = Object.entries(edits).filter(
    ([field, text]) => text !== (texts[field as ContactField] ?? ""),
  );
  return left.length === 0 ? UNTOUCHED : { edits: Object.fromEntries(left) };
}

function laidOver(details: ContactDetails, edits: Edits): ContactDetails {
  const { phone, alternativeEmail, address, emergencyContact } = details;
  const emergency = {
    name: edits.emergencyName ?? emergencyContact?.name ?? "",
    relationship: edits.emergencyRelationship ?? emergencyContact?.relationship ?? "",
    phone: edits.emergencyPhone ?? emergencyContact?.phone ?? "",
  };
  const isNone = Object.values(emergency).every((text) => text.trim() === "");
  return {
    phone: edits.phone ?? phone,
    alternativeEmail: edits.alternativeEmail ?? alternativeEmail,
    address: {
      street: edits.street ?? address.street,
      city: edits.city ?? address.city,
      state: edits.state ?? address.state,
      country: edits.country ?? address.country,
      postalCode: edits.postalCode ?? address.postalCode,
    },
    // Who has none need not give one.
    emergencyContact: isNone && emergencyContact === undefined ? undefined : emergency,
  };
}

/**
 * What was typed over the stored details, field by field, kept as a draft. An untouched field follows what is stored:
 * saving here must not undo what another window saved meanwhile.
 */
export function useContactEdits(details: ContactDetails) {
  const [{ edits }, setKept] = useDraft("contact-details", UNTOUCHED);
  return {
    draft: laidOver(details, edits),
    setField: (field: ContactField, text: string) =>
      setKept((kept) => without({ ...kept.edits, [field]: text }, textsOf(details))),
    /** After saving; what was typed since then stays. */
    forgetSaved: () => setKept((kept) => without(kept.edits, edits)),
  };
}
