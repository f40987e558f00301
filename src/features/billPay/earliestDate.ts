import { addDays, tomorrowOf } from "#shared/dates";

/** The device's calendar date, as `YYYY-MM-DD`. */
function deviceDateOf(nowMs: number): string {
  const now = new Date(nowMs);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * The earliest payment date: tomorrow where the member is, and never before tomorrow at the credit
 * union, which is what the server asks for.
 */
export function earliestPaymentDate(nowMs: number): string {
  const here = addDays(deviceDateOf(nowMs), 1);
  const there = tomorrowOf(nowMs);
  return here > there ? here : there;
}
