/** When what follows the leaving of a field happens. */
import { fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterPress, endPress, startPress } from "../../../src/lib/afterPress";

beforeEach(() => {
  document.addEventListener("mousedown", startPress);
  document.addEventListener("mouseup", endPress);
});
afterEach(() => {
  document.removeEventListener("mousedown", startPress);
  document.removeEventListener("mouseup", endPress);
  document.body.replaceChildren();
});

const add = (tag: "button" | "select") => document.body.appendChild(document.createElement(tag));

test("at once when no press is under way", () => {
  const act = vi.fn();
  afterPress(act);
  expect(act).toHaveBeenCalledOnce();
});

test("at the end of the press, before its click, and once", () => {
  const done: string[] = [];
  const button = add("button");
  button.addEventListener("click", () => done.push("click"));
  fireEvent.mouseDown(button);
  afterPress(() => done.push("left"));
  expect(done).toEqual([]);
  fireEvent.mouseUp(button);
  fireEvent.click(button);
  fireEvent.mouseUp(button);
  expect(done).toEqual(["left", "click"]);
});

test("at once when a list of choices or a context menu opens, which may take the end of the press", () => {
  const act = vi.fn();
  fireEvent.mouseDown(add("select"));
  afterPress(act);
  fireEvent.mouseDown(add("button"), { button: 2 });
  afterPress(act);
  expect(act).toHaveBeenCalledTimes(2);
});
