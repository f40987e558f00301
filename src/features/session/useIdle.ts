import { useCallback, useEffect, useRef, useState } from "react";
import { useMutation } from "convex/react";
import { api } from "#api";
import { IDLE_WARNING_MS, SESSION_TOUCH_INTERVAL_MS } from "#shared/limits";
import { elapsedMs, momentNow, onWake, type Moment } from "../../lib/waking";
import { openSessionChannel, type SessionChannel } from "./channel";
import { idleStateAfter, type IdleState } from "./idle";

const CHECK_MS = 1_000;
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
 * How long nobody has been active, by {@link elapsedMs}: `look` compares with the limit, and calls `onOver` once the time
 * is over. Timers alone are late on a device that slept, and the key that wakes it comes before them.
 */
function useIdleClock(idleTimeoutMs: number, onOver: () => void) {
  const [state, setState] = useState<IdleState | null>(null);
  const lastActive = useRef<Moment>({ deviceMs: 0, pageMs: 0 });
  const isOver = useRef(false);
  const latest = useRef({ idleTimeoutMs, onOver });
  useEffect(() => {
    latest.current = { idleTimeoutMs, onOver };
  }, [idleTimeoutMs, onOver]);
  const look = useCallback((): { isOver: boolean; isWarning: boolean } => {
    if (isOver.current) return { isOver: true, isWarning: false };
    const idleMs = elapsedMs(lastActive.current, momentNow());
    const next = idleStateAfter(idleMs, latest.current.idleTimeoutMs, IDLE_WARNING_MS);
    isOver.current = next.isOver;
    setState(next.isWarning ? next : null);
    if (next.isOver) latest.current.onOver();
    return next;
  }, []);
  const restart = useCallback(() => {
    lastActive.current = momentNow();
    setState(null);
  }, []);
  useEffect(() => {
    const timer = setInterval(look, CHECK_MS);
    const unsubscribe = onWake(look);
    return () => {
      clearInterval(timer);
      unsubscribe();
    };
  }, [look]);
  return { state, look, restart };
}

/**
 * Watches for real input in this tab and news from the others. While the warning shows, only
 * `stay` counts as activity.
 */
export function useIdle(
  userId: string,
  idleTimeoutMs: number,
  onOver: () => void,
): { state: IdleState | null; stay: () => void } {
  const channel = useRef<SessionChannel>(null);
  const { state, look, restart } = useIdleClock(idleTimeoutMs, onOver);
  const touch = useTouch();

  const markActive = useCallback(() => {
    restart();
    touch();
  }, [restart, touch]);
  const stay = useCallback(() => {
    if (look().isOver) return;
    markActive();
    channel.current?.send("active");
  }, [look, markActive]);

  useEffect(() => {
    // Opening a page is input too. The server must hear of it, or its session would end before the warning, and so must
    // the other tabs, which would end it without a warning here.
    markActive();
    const opened = openSessionChannel(userId, (kind) => {
      if (kind === "active") markActive();
    });
    channel.current = opened;
    opened.send("active");
    let lastToldMs = -Infinity;
    const onInput = () => {
      const { isOver, isWarning } = look();
      if (isOver || isWarning) return;
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
  }, [userId, look, markActive]);
  return { state, stay };
}
