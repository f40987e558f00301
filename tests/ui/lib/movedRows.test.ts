/** Which presses reach a button of a list whose rows have just moved. */
import { fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { guardMovedRows } from "../../../src/lib/movedRows";

let endGuard: () => void;
let list: HTMLElement;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  document.body.innerHTML = "<ul></ul>";
  list = document.querySelector("ul")!;
  addRow("beforeend");
  addRow("beforeend");
  endGuard = guardMovedRows();
});
afterEach(() => {
  endGuard();
  document.body.replaceChildren();
});

const addRow = (place: InsertPosition): void =>
  list.insertAdjacentHTML(
    place,
    "<li><button data-pressed-once>Reset</button><button>Ask</button></li>",
  );

/** Once the guard has seen what changed: whether a press on a button of the first row acts. */
async function acts({ name = "Reset", detail = 1 } = {}): Promise<boolean> {
  await Promise.resolve();
  const buttons = [...list.firstElementChild!.querySelectorAll("button")];
  return fireEvent.click(
    buttons.find(({ textContent }) => textContent === name)!,
    { detail },
  );
}

test("a press on a row that has just arrived before the others acts a moment later", async () => {
  expect(await acts()).toBe(true);
  addRow("afterbegin");
  expect(await acts()).toBe(false);
  vi.advanceTimersByTime(350);
  expect(await acts()).toBe(false);
  vi.advanceTimersByTime(100);
  expect(await acts()).toBe(true);
});

test("so does a press on the row that took the place of one that left", async () => {
  list.firstElementChild!.remove();
  expect(await acts()).toBe(false);
  vi.advanceTimersByTime(450);
  expect(await acts()).toBe(true);
});

test("a row at the end moves none", async () => {
  addRow("beforeend");
  expect(await acts()).toBe(true);
  list.lastElementChild!.remove();
  expect(await acts()).toBe(true);
});

test("a key on the focused button, and a button that asks first, always act", async () => {
  addRow("afterbegin");
  expect(await acts({ detail: 0 })).toBe(true);
  expect(await acts({ name: "Ask" })).toBe(true);
});
