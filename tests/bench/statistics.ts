/** Medians, percentiles and ranges. */

/** The value below which a share `p` (0 to 1) of the sorted values lies. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** "12.3 (11.0 to 14.1)": median and range. */
export function describeRange(values: readonly number[], digits = 2): string {
  const show = (value: number): string =>
    value.toLocaleString("en-US", { maximumFractionDigits: digits });
  return `${show(median(values))} (${show(Math.min(...values))} to ${show(Math.max(...values))})`;
}
