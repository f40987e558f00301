/** Counts and latencies of calls, kept in memory and rendered as Prometheus text. */
import type { CallRecord } from "../runtime/deployment.ts";

/** Upper bounds of the latency histogram in seconds, from one fsync to a slow action. */
const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Clients can call functions that do not exist, so at most this many names are counted separately. */
const FUNCTIONS_MAX = 1000;
const OTHER_FUNCTION = "other";

interface Histogram {
  readonly counts: number[];
  sumS: number;
  count: number;
}

/** A current value; with a name that ends in `_total`, what has been counted since the start. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

const escapeLabel = (text: string): string =>
  text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");

function sample(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
}

const heading = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

/**
 * Counts since the process started. Functions that do not exist, and names beyond a thousand, are counted as
 * `other`.
 */
export class CallMetrics {
  private readonly calls = new Map<string, { labels: Record<string, string>; count: number }>();
  private readonly latencies = new Map<string, Histogram>();

  readonly observe = (record: CallRecord): void => {
    const { kind, durationMs, outcome } = record;
    const isKnown = this.calls.size < FUNCTIONS_MAX || this.calls.has(keyOf(record, record.path));
    const path = isKnown && !record.isMissing ? record.path : OTHER_FUNCTION;
    const key = keyOf(record, path);
    const call = this.calls.get(key);
    if (call === undefined) {
      this.calls.set(key, { labels: { kind, function: path, outcome }, count: 1 });
    } else {
      call.count += 1;
    }
    let histogram = this.latencies.get(kind);
    if (histogram === undefined) {
      histogram = { counts: BOUNDS_S.map(() => 0), sumS: 0, count: 0 };
      this.latencies.set(kind, histogram);
    }
    const seconds = durationMs / 1000;
    const bucket = BOUNDS_S.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) histogram.counts[bucket]! += 1;
    histogram.sumS += seconds;
    histogram.count += 1;
  };

  /** Everything counted so far, and `gauges`, in Prometheus' text format. */
  render(gauges: readonly Gauge[]): string {
    const lines = heading("convex_calls_total", "counter", "Calls of functions by clients");
    for (const { labels, count } of this.calls.values()) {
      lines.push(sample("convex_calls_total", labels, count));
    }
    lines.push(...heading("convex_call_seconds", "histogram", "Time from call to answer"));
    for (const [kind, { counts, sumS, count }] of this.latencies) {
      let below = 0;
      for (const [index, bound] of BOUNDS_S.entries()) {
        below += counts[index]!;
        lines.push(sample("convex_call_seconds_bucket", { kind, le: String(bound) }, below));
      }
      lines.push(sample("convex_call_seconds_bucket", { kind, le: "+Inf" }, count));
      lines.push(sample("convex_call_seconds_sum", { kind }, sumS));
      lines.push(sample("convex_call_seconds_count", { kind }, count));
    }
    let previous = "";
    for (const { name, help, value, labels } of gauges) {
      const type = name.endsWith("_total") ? "counter" : "gauge";
      if (name !== previous) lines.push(...heading(name, type, help));
      previous = name;
      lines.push(sample(name, labels ?? {}, value));
    }
    return lines.join("\n") + "\n";
  }
}

const keyOf = ({ kind, outcome }: CallRecord, path: string): string =>
  `${kind}\n${path}\n${outcome}`;
