/**
 * Account and routing numbers: how they look, which are masked, how new ones are made.
 *
 * Spec section 3 "Account" and section 9. Randomness is an argument. Not here: uniqueness
 * (model/accounts).
 */
import { ADMIN_ACCOUNT_NUMBER_DIGITS, NEW_ACCOUNT_NUMBER_DIGITS } from "./limits";

const ROUTING_WEIGHTS = [3, 7, 1] as const;

/** Spec section 2 "Checking account card": groups 3-3-4, as in "348-102-9931". */
export function formatAccountNumber(accountNumber: string): string {
  const rest = accountNumber.slice(6);
  return [accountNumber.slice(0, 3), accountNumber.slice(3, 6), rest]
    .filter((group) => group !== "")
    .join("-");
}

/** "Checking ending 9931": the last four characters of a number or of a masked one. */
export function lastFour(accountNumber: string): string {
  return accountNumber.replace(/^•+/, "").slice(-4);
}

/** The number with all but its last four characters hidden. */
export function maskNumber(accountNumber: string): string {
  return `••••${lastFour(accountNumber)}`;
}

/** Spec section 3: an account without a number, or with a masked one, needs a new one. */
export function needsNumber(accountNumber: string | undefined): boolean {
  return accountNumber === undefined || !/^\d+$/.test(accountNumber);
}

/** Spec section 9 "New-account number": 8 digits, not starting with 0. */
export function newAccountNumber(random: () => number): string {
  return randomDigits(NEW_ACCOUNT_NUMBER_DIGITS, random);
}

/** Spec section 9: the 10-digit number of an account that lacks one. */
export function replacementAccountNumber(random: () => number): string {
  return randomDigits(ADMIN_ACCOUNT_NUMBER_DIGITS, random);
}

/** True when nine digits satisfy the routing checksum. The client uses it for a hint; no rule refuses by it. */
export function hasRoutingChecksum(routingNumber: string): boolean {
  if (!/^\d{9}$/.test(routingNumber)) return false;
  const sum = [...routingNumber].reduce(
    (total, digit, index) => total + Number(digit) * (ROUTING_WEIGHTS[index % 3] ?? 1),
    0,
  );
  return sum % 10 === 0;
}

/** `length` digits, the first not 0. `random` gives numbers in [0, 1). */
export function randomDigits(length: number, random: () => number): string {
  let digits = String(1 + Math.floor(random() * 9));
  while (digits.length < length) digits += String(Math.floor(random() * 10));
  return digits;
}
