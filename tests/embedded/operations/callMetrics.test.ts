/** How calls are counted, and what Prometheus reads of them. */
import { expect, test } from "vitest";
import { CallMetrics } from "../../../embedded/operations/callMetrics";
import type { CallRecord } from "../../../embedded/runtime/deployment";

const CALL: CallRecord = {
  kind: "query",
  path: "a:b",
  requestId: "r",
  durationMs: 1,
  outcome: "ok",
  failure: null,
  isMissing: false,
};

/** The lines of one metric, without its name. */
const linesOf = (metrics: CallMetrics, name: string): string[] =>
  metrics
    .render([])
    .split("\n")
    .filter((line) => line.startsWith(name))
    .map((line) => line.slice(name.length));

test("a call falls into each bucket from its own time on, and one beyond all of them only into the last", () => {
  const metrics = new CallMetrics();
  for (const durationMs of [1, 1.1, 250, 30_000]) metrics.observe({ ...CALL, durationMs });
  metrics.observe({ ...CALL, kind: "action" });
  const buckets = linesOf(metrics, 'convex_call_seconds_bucket{kind="query",le=');
  const counts = buckets.map((line) => line.replace(/^"(.*)"\} (\d+)$/, "$1: $2"));
  expect([counts[0], counts[1], ...counts.slice(6, 8), ...counts.slice(-2)]).toEqual([
    "0.001: 1",
    "0.0025: 2",
    "0.1: 2",
    "0.25: 3",
    "10: 3",
    "+Inf: 4",
  ]);
  expect(linesOf(metrics, 'convex_call_seconds_sum{kind="query"}')).toEqual([" 30.2521"]);
  expect(linesOf(metrics, 'convex_call_seconds_count{kind="query"}')).toEqual([" 4"]);
});

test("calls are counted by kind, name and outcome; names that clients make up are counted as one", () => {
  const metrics = new CallMetrics();
  metrics.observe(CALL);
  metrics.observe(CALL);
  metrics.observe({ ...CALL, outcome: "refused" });
  metrics.observe({ ...CALL, path: "no:such", outcome: "error", isMissing: true });
  metrics.observe({ ...CALL, path: 'a "quoted"\\\nname' });
  expect(linesOf(metrics, "convex_calls_total")).toEqual([
    '{kind="query",function="a:b",outcome="ok"} 2',
    '{kind="query",function="a:b",outcome="refused"} 1',
    '{kind="query",function="other",outcome="error"} 1',
    '{kind="query",function="a \\"quoted\\"\\\\\\nname",outcome="ok"} 1',
  ]);
});

test("beyond a thousand names, known ones are still counted and new ones together", () => {
  const metrics = new CallMetrics();
  for (let count = 0; count < 1_005; count++) metrics.observe({ ...CALL, path: `a:f${count}` });
  metrics.observe({ ...CALL, path: "a:f0" });
  const lines = linesOf(metrics, "convex_calls_total");
  expect(lines).toHaveLength(1_001);
  expect(lines[0]).toBe('{kind="query",function="a:f0",outcome="ok"} 2');
  expect(lines[1_000]).toBe('{kind="query",function="other",outcome="ok"} 5');
});

test("a gauge with several labels has one heading, and what is counted is a counter", () => {
  const gauge = { name: "app_waiting", help: "Waiting", value: 1 };
  const text = new CallMetrics().render([
    { ...gauge, labels: { queue: "a" } },
    { ...gauge, labels: { queue: "b" } },
    { name: "app_sent_total", help: "Sent", value: 2 },
  ]);
  expect(text.slice(text.indexOf("# HELP app_"))).toBe(`# HELP app_waiting Waiting
# TYPE app_waiting gauge
app_waiting{queue="a"} 1
app_waiting{queue="b"} 1
# HELP app_sent_total Sent
# TYPE app_sent_total counter
app_sent_total 2
`);
});
