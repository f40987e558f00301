/** Whether the browser's own action of an Enter is prevented: clicking, sending the form, a new line. */
import { fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ignoreHeldEnter } from "../../../src/lib/heldEnter";

beforeEach(() => document.addEventListener("keydown", ignoreHeldEnter, { capture: true }));
afterEach(() => {
  document.removeEventListener("keydown", ignoreHeldEnter, { capture: true });
  document.body.replaceChildren();
});

const add = (tag: "button" | "input" | "textarea") =>
  document.body.appendChild(document.createElement(tag));
const acts = (place: HTMLElement, repeat: boolean, key = "Enter") =>
  fireEvent.keyDown(place, { key, repeat });

test("a held Enter acts once, there and where the focus has moved", () => {
  const [button, input] = [add("button"), add("input")];
  for (const place of [button, input]) {
    expect(acts(place, false)).toBe(true);
    expect(acts(place, true)).toBe(false);
  }
  expect(acts(button, true)).toBe(false);
  expect(acts(button, false), "pressed again").toBe(true);
});

test("it writes lines in a text that it was pressed in, not in one that got the focus meanwhile", () => {
  const [text, button] = [add("textarea"), add("button")];
  expect(acts(text, false)).toBe(true);
  expect(acts(text, true)).toBe(true);
  expect(acts(button, false)).toBe(true);
  expect(acts(text, true)).toBe(false);
});

test("other held keys move and scroll", () => {
  const button = add("button");
  for (const key of ["Tab", "ArrowDown", " "]) expect(acts(button, true, key)).toBe(true);
});
