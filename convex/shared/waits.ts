/**
 * Waits that end at a stored moment, on a clock that may be set back meanwhile. Pure; time is an argument.
 */
import { MS } from "./limits";

/** Clocks are corrected by less than this all the time; beyond it, a moment was written by a clock that ran ahead. */
export const CORRECTION_MAX_MS = MS.MINUTE_MS;

/**
 * True before the moment. A wait that would last longer than any does was begun before the clock was set back, and is
 * over: it would last until the clock has caught up, perhaps for months.
 */
export function isWaiting(untilMs: number | undefined, longestMs: number, nowMs: number): boolean {
  const leftMs = (untilMs ?? 0) - nowMs;
  return leftMs > 0 && leftMs <= longestMs + CORRECTION_MAX_MS;
}
