/** Which clicks of a double click reach what they hit. */
import { fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ignoreStrayClick, rememberPress } from "../../../src/lib/doubleClick";

beforeEach(() => {
  document.addEventListener("mousedown", rememberPress, { capture: true });
  document.addEventListener("click", ignoreStrayClick, { capture: true });
});
afterEach(() => {
  document.removeEventListener("mousedown", rememberPress, { capture: true });
  document.removeEventListener("click", ignoreStrayClick, { capture: true });
  document.body.replaceChildren();
});

const add = (html: string): HTMLElement => {
  document.body.insertAdjacentHTML("beforeend", html);
  return document.body.lastElementChild as HTMLElement;
};

/** Whether a press and its click reach `place`; `detail` counts them. */
function acts(place: HTMLElement, detail: number): boolean {
  const onClick = vi.fn();
  place.addEventListener("click", onClick, { once: true });
  fireEvent.mouseDown(place, { detail });
  const isAllowed = fireEvent.click(place, { detail });
  expect(onClick).toHaveBeenCalledTimes(isAllowed ? 1 : 0);
  return isAllowed;
}

test("both clicks of a double click act on what the first one pressed", () => {
  const button = add("<button><b>Larger</b></button>");
  expect(acts(button, 1)).toBe(true);
  expect(acts(button.firstElementChild as HTMLElement, 2)).toBe(true);
});

test("the second does nothing to a button, a link or a backdrop that is there by then", () => {
  const opener = add("<button>Delete</button>");
  const others = ["<button>Delete transaction</button>", "<a href='#x'>Omar</a>", "<div></div>"];
  for (const other of others.map(add)) {
    expect(acts(opener, 1)).toBe(true);
    expect(acts(other, 2)).toBe(false);
    expect(acts(other, 1), "pressed anew").toBe(true);
  }
});

test("a label stands for its control", () => {
  const label = add("<label>Update balance <input type='checkbox'></label>");
  const box = label.querySelector("input")!;
  expect(acts(label, 1)).toBe(true);
  expect(acts(label, 2)).toBe(true);
  expect(acts(box, 2)).toBe(true);
});

test("a click without a press, as from the keyboard, acts anywhere", () => {
  expect(acts(add("<button>Delete</button>"), 1)).toBe(true);
  const button = add("<button>Close</button>");
  expect(fireEvent.click(button, { detail: 0 })).toBe(true);
});
