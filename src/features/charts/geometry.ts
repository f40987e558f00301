/** One bar of a bar chart, in percent of the chart's height. */
interface Bar {
  readonly heightPercent: number;
  readonly isLast: boolean;
}

const SHORTEST_BAR_PERCENT = 4;
const FULL_PERCENT = 100;

/**
 * Heights of bars relative to the largest value, for values in cents.
 *
 * A month without money keeps a sliver, so that the eye can count the bars.
 */
export function barsOf(valuesCents: readonly bigint[]): Bar[] {
  const largest = valuesCents.reduce((most, value) => (value > most ? value : most), 0n);
  return valuesCents.map((value, index) => ({
    heightPercent:
      largest === 0n
        ? SHORTEST_BAR_PERCENT
        : Math.max(SHORTEST_BAR_PERCENT, percentOf(value, largest)),
    isLast: index === valuesCents.length - 1,
  }));
}

/** `part` as a percentage of `whole`, to two exact decimals; 0 when `whole` is 0. */
export function percentOf(part: bigint, whole: bigint): number {
  const BASIS_POINTS = 10_000n;
  return whole <= 0n ? 0 : Number((part * BASIS_POINTS) / whole) / FULL_PERCENT;
}

/** A point of a line chart in the chart's own units. */
interface Point {
  readonly x: number;
  readonly y: number;
}

interface LineFrame {
  readonly width: number;
  readonly height: number;
  /** Free space above and below the line. */
  readonly padding: number;
}

/** Places values in cents on a line from left to right; equal values lie in the middle. */
export function pointsOf(valuesCents: readonly bigint[], frame: LineFrame): Point[] {
  const lowest = valuesCents.reduce(
    (least, value) => (value < least ? value : least),
    valuesCents[0] ?? 0n,
  );
  const highest = valuesCents.reduce((most, value) => (value > most ? value : most), lowest);
  const inner = frame.height - 2 * frame.padding;
  const step = valuesCents.length > 1 ? frame.width / (valuesCents.length - 1) : 0;
  return valuesCents.map((value, index) => ({
    x: valuesCents.length > 1 ? index * step : frame.width / 2,
    y:
      highest === lowest
        ? frame.height / 2
        : frame.padding + inner * (1 - percentOf(value - lowest, highest - lowest) / FULL_PERCENT),
  }));
}

/** A coordinate with one decimal: enough for a screen, short in the page. */
function tenth(value: number): number {
  const TENTHS = 10;
  return Math.round(value * TENTHS) / TENTHS;
}

/** An SVG path through the points. */
export function linePath(points: readonly Point[]): string {
  return points
    .map((point, index) => `${index === 0 ? "M" : "L"}${tenth(point.x)} ${tenth(point.y)}`)
    .join(" ");
}

/** The same line closed along the bottom, for a fill. */
export function areaPath(points: readonly Point[], height: number): string {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return "";
  return `${linePath(points)} L${tenth(last.x)} ${height} L${tenth(first.x)} ${height} Z`;
}
