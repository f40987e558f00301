/**
 * The parts of a person's record (spec section 3 "User") as validators, for storing and returning alike.
 *
 * Not here: the record itself (schema), the rules of an application (shared/rules/signup).
 */
import { v } from "convex/values";
import { vIdCardType, vMaritalStatus, vVerificationCheck, vVerificationStatus } from "./validators";

/** Spec section 3 `personalInfo`; `dateOfBirth` is YYYY-MM-DD. An address may have no country. */
export const vPersonalInfo = v.object({
  firstName: v.string(),
  lastName: v.string(),
  dateOfBirth: v.string(),
  nationality: v.string(),
  maritalStatus: vMaritalStatus,
  address: v.object({
    street: v.string(),
    city: v.string(),
    state: v.string(),
    country: v.optional(v.string()),
    postalCode: v.string(),
  }),
});

/** Admin-created users carry the spec's flat address instead of personal information. */
export const vFlatAddress = v.object({
  street: v.string(),
  city: v.string(),
  state: v.string(),
  zipCode: v.string(),
});

/** Spec section 3 `contactDetails`. */
export const vContactDetails = v.object({
  phoneNumber: v.string(),
  alternativeEmail: v.optional(v.string()),
  emergencyContact: v.optional(
    v.object({ name: v.string(), relationship: v.string(), phone: v.string() }),
  ),
});

/** Type and number are absent for people who signed up without an application. */
export const vDocuments = v.object({
  idCardType: v.optional(vIdCardType),
  idCardNumber: v.optional(v.string()),
  idCardUrl: v.optional(v.string()),
  verificationStatus: vVerificationStatus,
  infoRequest: v.optional(v.string()),
  infoRequestedAt: v.optional(v.number()),
});

/** A request for more information, as the applicant and administrators read it. */
export const vInfoRequest = v.object({
  requestId: v.id("infoRequests"),
  text: v.string(),
  requestedAt: v.number(),
  answer: v.optional(v.string()),
  answeredAt: v.optional(v.number()),
});

/** One tick of the verification. */
export const vTick = v.object({
  check: vVerificationCheck,
  checkedBy: v.string(),
  checkedAt: v.number(),
});

/** A restriction of external transfers that has not been lifted. */
export const vRestriction = v.object({
  reason: v.string(),
  setBy: v.string(),
  setAt: v.number(),
  expiresAt: v.optional(v.number()),
});
