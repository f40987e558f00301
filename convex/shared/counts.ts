/** Counts as people read them. */

const numberFormat = new Intl.NumberFormat("en-US");

/** "12,480" */
export const formatCount = (count: number): string => numberFormat.format(count);

/** "1 deposit", "3 deposits" */
export function plural(count: number, one: string): string {
  return `${formatCount(count)} ${one}${count === 1 ? "" : "s"}`;
}

/** "1 deposit was", "3 deposits were" */
export const pluralWas = (count: number, one: string): string =>
  `${plural(count, one)} ${count === 1 ? "was" : "were"}`;
