/** Live events the person did not start: a short list of toasts; the oldest that nobody is at leaves first. */
import { newListeners } from "./listeners";

export interface ToastItem {
  readonly id: number;
  readonly title: string;
  readonly body?: string;
}

const SHOWN_MAX = 3;

let items: readonly ToastItem[] = [];
let nextId = 1;
const listeners = newListeners();
const heldIds = new Set<number>();

function publish(next: readonly ToastItem[]): void {
  items = next;
  listeners.tell();
}

/** Shows a toast until it is closed or its time is up. */
export function showToast(toast: { title: string; body?: string }): void {
  const next = [...items, { id: nextId++, ...toast }];
  const leaving = next.length > SHOWN_MAX ? next.find(({ id }) => !heldIds.has(id)) : undefined;
  publish(next.filter((item) => item !== leaving));
}

/** While someone points at a toast or has the focus in it, newer ones do not push it out. Returns what lets go of it. */
export function holdToast(id: number): () => void {
  heldIds.add(id);
  return () => heldIds.delete(id);
}

/** Does nothing if the toast is already gone. */
export function closeToast(id: number): void {
  publish(items.filter((item) => item.id !== id));
}

/** For the end of a session: the next person does not see this one's events. */
export function clearToasts(): void {
  publish([]);
}

/** Calls back when the list changes; returns the function that unsubscribes. */
export const subscribeToToasts = listeners.subscribe;

/** Oldest first, at most three. The same array until it changes, as `useSyncExternalStore` requires. */
export function currentToasts(): readonly ToastItem[] {
  return items;
}
