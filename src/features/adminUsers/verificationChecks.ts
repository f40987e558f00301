/** The ten checks of the "User Verification" dialog in words. */
import type { VerificationCheck } from "#shared/validators";

export const CHECK_LABELS: Readonly<Record<VerificationCheck, string>> = {
  emailValid: "Email address is valid",
  dobValid: "Date of birth is valid",
  nationalityValid: "Nationality is valid",
  addressComplete: "Address is complete",
  maritalStatusValid: "Marital status is valid",
  phoneValid: "Phone number is valid",
  emergencyContactValid: "Emergency contact is valid",
  idCardPresent: "ID document is present",
  idCardClear: "ID document is clear",
  idCardValid: "ID document is valid",
};
