/**
 * The credit union: its name, numbers, contact and time zone. The only place that names it.
 *
 * The demonstration institution is fictional; its addresses use reserved domains and numbers.
 */
export const INSTITUTION = {
  /** As in "To a Wrenmoor user". */
  name: "Wrenmoor",
  suffix: "Credit Union",
  fullName: "Wrenmoor Credit Union",
  legalName: "Wrenmoor Credit Union",
  supportEmail: "support@wrenmoor.example",
  supportPhone: "(555) 010-0142",
  /** Spec section 9: routing number of new accounts, and shown when an account has none. */
  routingNumber: "021000021",
  /** Shows the "insured" text badge (spec section 2 "Public pages"). */
  isNcuaInsured: true,
  ncuaText: "Federally insured by NCUA",
  foundedYear: 1973,
  domain: "wrenmoor.example",
  /** Months, statement periods and payment dates follow this zone. */
  timeZone: "America/New_York",
  /** Spec section 9, in the form of section 8's "Transaction Blocked". */
  supportHours: "Monday to Friday, 8AM to 8PM EST",
  liveChatHours: "Monday to Friday, 9AM to 6PM",
  responseTime: "within 24 hours",
} as const;
