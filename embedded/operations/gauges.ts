/** The current metrics of a running backend: connections, queues, memory, and the application's own. */
import { performance } from "node:perf_hooks";
import type { Backend } from "../runtime/backend.ts";
import type { Gauge } from "./callMetrics.ts";

const MS_PER_S = 1000;
const MICROS_PER_S = 1_000_000;

/** The application's gauges, from an internal query that gives the last parts of their names; none when it fails. */
async function appGauges(backend: Backend, path: string | null): Promise<Gauge[]> {
  if (path === null) return [];
  const outcome = await backend.runtime.runInternal(path, {});
  const isUp = "json" in outcome;
  const health = {
    name: "app_gauges_up",
    help: "1: the application answered with its own numbers",
    value: isUp ? 1 : 0,
  };
  if (!isUp) return [health];
  const gauges = JSON.parse(outcome.json) as Gauge[];
  return [health, ...gauges.map((gauge) => ({ ...gauge, name: `app_${gauge.name}` }))];
}

/** All gauges. `gaugesFunction` names an internal query of the application. */
export async function backendGauges(
  backend: Backend,
  serving: { connections: number; liveQueries: number },
  gaugesFunction: string | null,
): Promise<Gauge[]> {
  const { db, runtime, scheduler } = backend;
  const nowMs = Date.now();
  const backlog = scheduler.backlog(nowMs);
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  const { storeLag } = db;
  const gauge = (name: string, help: string, value: number): Gauge => ({ name, help, value });
  return [
    gauge("convex_connections", "Open WebSocket connections", serving.connections),
    gauge("convex_subscriptions", "Queries open on connections", serving.liveQueries),
    gauge("convex_mutations_waiting", "Mutations waiting for their turn", runtime.waitingMutations),
    gauge("convex_scheduled_waiting", "Scheduled functions that are due", backlog.due),
    gauge(
      "convex_scheduled_oldest_seconds",
      "How long the oldest due scheduled function has waited",
      backlog.oldestDueMs / MS_PER_S,
    ),
    gauge(
      "convex_store_missing_bytes",
      "Commits in the log that the store does not have yet: they are held in memory",
      storeLag.bytes,
    ),
    gauge(
      "convex_store_batch_seconds",
      "How long the batch that is being put into the store has taken so far",
      storeLag.batchMs / MS_PER_S,
    ),
    gauge("convex_read_only", "1: nothing is accepted (full disk)", db.isReadOnly === null ? 0 : 1),
    gauge(
      "convex_commit_timestamp_seconds",
      "Newest commit",
      Number(db.durableTs / 1_000_000n) / MS_PER_S,
    ),
    gauge("process_resident_memory_bytes", "Resident memory", memory.rss),
    gauge("process_heap_bytes", "Used heap", memory.heapUsed),
    gauge(
      "process_cpu_seconds_total",
      "Processor time of all threads",
      (cpu.user + cpu.system) / MICROS_PER_S,
    ),
    gauge(
      "convex_event_loop_busy_seconds_total",
      "Time in which the event loop was not idle: its rate is the part of a core that it uses",
      performance.eventLoopUtilization().active / MS_PER_S,
    ),
    gauge("process_uptime_seconds", "Seconds since the start", process.uptime()),
    ...(await appGauges(backend, gaugesFunction)),
  ];
}
