import { useCallback, useEffect, useRef, useState } from "react";
import { useMutation } from "convex/react";
import { api } from "#api";
import { IDLE_WARNING_MS, SESSION_TOUCH_INTERVAL_MS } from "#shared/limits";
import { openSessionChannel, type SessionChannel } from "./channel";
import { elapsedMs, idleStateAfter, type IdleState, type Moment } from "./idle";

const CHECK_MS = 1_000;
const momentNow = (): Moment => ({ deviceMs: Date.now(), pageMs: performance.now() });
const REAL_INPUT = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

/**
 * Reports activity to the server at once, then at most once a minute, and never loses the last report. Measured on a
 * clock that nobody can set back: until the device's clock caught up, nothing would be reported.
 */
function useTouch(): () => void {
  const touch = useMutation(api.sessions.touch);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastSentMs = useRef(-Infinity);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    clearTimeout(timer.current);
    const waitMs = Math.max(0, lastSentMs.current + SESSION_TOUCH_INTERVAL_MS - performance.now());
    timer.current = setTimeout(() => {
      lastSentMs.current = performance.now();
      // A session that has ended meanwhile shows up through viewer:get anyway.
      void touch({}).catch(() => undefined);
    }, waitMs);
  }, [touch]);
}

/**
 * Watches for real input in this tab and news from the others. While the warning shows, only
 * `stay` counts as activity. `null` timeout: off (the server is still told of activity).
 */
export function useIdle(
  userId: string,
  idleTimeoutMs: number | null,
  onOver: () => void,
): { state: IdleState | null; stay: () => void } {
  const [state, setState] = useState<IdleState | null>(null);
  const lastActive = useRef<Moment>({ deviceMs: 0, pageMs: 0 });
  const isWarning = useRef(false);
  const channel = useRef<SessionChannel>(null);
  const over = useRef(onOver);
  const touch = useTouch();
  useEffect(() => {
    over.current = onOver;
  }, [onOver]);

  const markActive = useCallback(() => {
    lastActive.current = momentNow();
    touch();
  }, [touch]);
  const stay = useCallback(() => {
    isWarning.current = false;
    setState(null);
    markActive();
    channel.current?.send("active");
  }, [markActive]);

  useEffect(() => {
    // Opening a page is input too. The server must hear of it, or its session would end before the warning, and so must
    // the other tabs, which would end it without a warning here.
    markActive();
    const opened = openSessionChannel(userId, (kind) => {
      if (kind !== "active") return;
      isWarning.current = false;
      setState(null);
      markActive();
    });
    channel.current = opened;
    opened.send("active");
    let lastToldMs = -Infinity;
    const onInput = () => {
      if (isWarning.current) return;
      markActive();
      const nowMs = performance.now();
      if (nowMs - lastToldMs < CHECK_MS) return;
      lastToldMs = nowMs;
      opened.send("active");
    };
    for (const name of REAL_INPUT) document.addEventListener(name, onInput, { passive: true });
    return () => {
      for (const name of REAL_INPUT) document.removeEventListener(name, onInput);
      opened.close();
    };
  }, [userId, markActive]);

  useEffect(() => {
    if (idleTimeoutMs === null) return;
    const timer = setInterval(() => {
      const idleMs = elapsedMs(lastActive.current, momentNow());
      const next = idleStateAfter(idleMs, idleTimeoutMs, IDLE_WARNING_MS);
      isWarning.current = next.isWarning;
      if (next.isOver) {
        clearInterval(timer);
        over.current();
      }
      setState(next.isWarning ? next : null);
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, [idleTimeoutMs]);
  return { state, stay };
}
