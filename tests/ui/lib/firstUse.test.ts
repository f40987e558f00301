/** What counts as the first use of a page that until then has loaded no application. */
import { fireEvent } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { onFirstUse } from "../../../src/lib/firstUse";

function move(movementX: number, movementY: number): void {
  const moved = { bubbles: true, movementX, movementY };
  document.body.dispatchEvent(new PointerEvent("pointermove", moved));
}

test("a pointer that moves is a use, one that lies where a page appears is none", () => {
  const start = vi.fn();
  onFirstUse(start);
  move(0, 0);
  expect(start).not.toHaveBeenCalled();
  move(0, 1);
  move(1, 0);
  expect(start).toHaveBeenCalledOnce();
});

test.each(["click", "keyDown", "focusIn", "scroll", "touchStart"] as const)(
  "%s is one, once",
  (use) => {
    const start = vi.fn();
    onFirstUse(start);
    fireEvent[use](document.body);
    fireEvent[use](document.body);
    expect(start).toHaveBeenCalledOnce();
  },
);
