/**
 * The eight people of the demo data set (product decisions, section 4), and its one-time codes.
 *
 * Invented; addresses use reserved domains. Not here: writing them (model/dev/demoData).
 */
import type { Cents } from "../../shared/money";
import type { Application } from "../../shared/rules/signup";

/** Password of everyone in the demo data set; deliberately public. */
export const DEMO_PASSWORD = "Wrenmoor-Demo-2026";

/** Tells the demo data set's own administrator entries from real ones. */
export const DEMO_ADMIN = {
  email: "admin@demo.example",
  name: "Avery Admin",
  phone: "(555) 010-0100",
  address: { street: "1 Harbor Road", city: "Albany", state: "NY", zipCode: "12207" },
} as const;

/** Spec section 9: twenty valid codes at login. */
export const DEMO_CODES = (
  "204816 319527 428639 537741 646852 755963 864174 973285 182396 291417 " +
  "350528 469639 578741 687852 796963 815174 924285 133396 242517 351628"
).split(" ");

type DemoStanding = "approved" | "pending" | "rejected";

export type DemoApplicant = {
  readonly email: string;
  readonly standing: DemoStanding;
  /** How long ago they applied. */
  readonly joinedDaysAgo: number;
  readonly checkingCents: Cents;
  readonly savingsCents: Cents;
  readonly application: Application;
};

type Person = Omit<DemoApplicant, "application"> & {
  readonly first: string;
  readonly last: string;
  readonly born: string;
  readonly street: string;
  readonly city: string;
  readonly phone: string;
  readonly relative: string;
  readonly details?: Partial<Application>;
};

function applicantOf({ first, last, born, street, city, phone, relative, ...rest }: Person) {
  const { details, ...standing } = rest;
  return {
    ...standing,
    application: {
      firstName: first,
      lastName: last,
      dateOfBirth: born,
      nationality: "United States",
      maritalStatus: "Single",
      street,
      city,
      state: "NY",
      country: "US",
      postalCode: "12207",
      phoneNumber: phone,
      emergencyName: `${relative} ${last}`,
      emergencyRelationship: "Sibling",
      emergencyPhone: "(555) 010-0199",
      idCardType: "Driver's License",
      idCardNumber: `NY-${phone.slice(-4)}-${born.slice(0, 4)}`,
      ...details,
    },
  };
}

const PEOPLE: readonly Person[] = [
  {
    email: "maya@demo.example",
    standing: "approved",
    joinedDaysAgo: 1_230,
    checkingCents: 425_075n,
    savingsCents: 1_280_000n,
    first: "Maya",
    last: "Torres",
    born: "1991-04-17",
    street: "42 Juniper Lane",
    city: "Albany",
    phone: "(555) 010-0111",
    relative: "Elena",
    details: { alternativeEmail: "maya.torres@mail.example" },
  },
  {
    email: "omar@demo.example",
    standing: "approved",
    joinedDaysAgo: 210,
    checkingCents: 98_010n,
    savingsCents: 0n,
    first: "Omar",
    last: "Haddad",
    born: "1987-11-02",
    street: "7 Mill Street",
    city: "Troy",
    phone: "(555) 010-0112",
    relative: "Samir",
    details: { maritalStatus: "Married", emergencyRelationship: "Spouse" },
  },
  {
    email: "lena@demo.example",
    standing: "pending",
    joinedDaysAgo: 1,
    checkingCents: 0n,
    savingsCents: 0n,
    first: "Lena",
    last: "Fischer",
    born: "1996-08-25",
    street: "19 Orchard Avenue",
    city: "Schenectady",
    phone: "(555) 010-0113",
    relative: "Jonas",
    details: { nationality: "Germany", idCardType: "Passport", idCardNumber: "C01X00T47" },
  },
  {
    email: "rui@demo.example",
    standing: "rejected",
    joinedDaysAgo: 12,
    checkingCents: 0n,
    savingsCents: 0n,
    first: "Rui",
    last: "Costa",
    born: "1979-02-09",
    street: "3 Canal Square",
    city: "Cohoes",
    phone: "(555) 010-0114",
    relative: "Ana",
    details: { nationality: "Portugal", idCardType: "National ID", idCardNumber: "12345678-9-ZZ0" },
  },
  {
    email: "nora@demo.example",
    standing: "approved",
    joinedDaysAgo: 95,
    checkingCents: 50_000n,
    savingsCents: 10_000n,
    first: "Nora",
    last: "Blocked",
    born: "1984-06-30",
    street: "88 Hudson Terrace",
    city: "Albany",
    phone: "(555) 010-0115",
    relative: "Ida",
  },
  {
    email: "vip@demo.example",
    standing: "approved",
    joinedDaysAgo: 380,
    checkingCents: 2_500_000n,
    savingsCents: 0n,
    first: "Vera",
    last: "Protected",
    born: "1968-12-11",
    street: "1 Capitol Park",
    city: "Albany",
    phone: "(555) 010-0116",
    relative: "Karl",
    details: { maritalStatus: "Widowed" },
  },
  {
    email: "lock@demo.example",
    standing: "approved",
    joinedDaysAgo: 150,
    checkingCents: 75_000n,
    savingsCents: 0n,
    first: "Leo",
    last: "Locked",
    born: "1993-03-05",
    street: "56 Riverside Drive",
    city: "Troy",
    phone: "(555) 010-0117",
    relative: "Mia",
    details: { maritalStatus: "Divorced" },
  },
];

/** All but the administrator, as they applied; balances in cents. */
export const DEMO_APPLICANTS: readonly DemoApplicant[] = PEOPLE.map(applicantOf);

export const DEMO_EMAILS = {
  withHistory: "maya@demo.example",
  blocked: "nora@demo.example",
  isProtected: "vip@demo.example",
  restricted: "lock@demo.example",
} as const;

export const DEMO_REJECTION_REASON =
  "The identity document you sent has expired. Please contact our support team once you have a valid one.";
