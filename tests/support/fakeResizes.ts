/** A ResizeObserver that notifies when the test says so: jsdom lays nothing out. */
import { vi } from "vitest";

let observing: (() => void)[] = [];

class FakeResizeObserver {
  readonly #call: () => void;
  constructor(call: () => void) {
    this.#call = call;
  }
  observe() {
    if (!observing.includes(this.#call)) observing.push(this.#call);
  }
  disconnect() {
    observing = observing.filter((call) => call !== this.#call);
  }
}

/** Takes the place of the one in `uiSetup`. */
export function fakeResizes(): void {
  observing = [];
  vi.stubGlobal("ResizeObserver", FakeResizeObserver);
}

export function notifyResizes(): void {
  for (const call of observing) call();
}
