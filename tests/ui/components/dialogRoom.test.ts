import { beforeEach, expect, test } from "vitest";
import { watchCut, watchRoom } from "../../../src/components/ui/dialogRoom";
import { fakeResizes, notifyResizes } from "../../support/fakeResizes";

interface Heights {
  /** What it has. */
  box: number;
  /** What it needs. */
  content: number;
}

function partOf(heights: Heights, inside = ""): HTMLElement {
  const part = document.createElement("div");
  part.innerHTML = inside;
  Object.defineProperty(part, "clientHeight", { get: () => heights.box });
  Object.defineProperty(part, "scrollHeight", { get: () => heights.content });
  return part;
}

beforeEach(fakeResizes);

test("a part without controls is a stop of the keyboard while it is cut", () => {
  const heights = { box: 100, content: 100 };
  const part = partOf(heights, "<p>Words</p>");
  const stop = watchCut(part);
  notifyResizes();
  expect(part).not.toHaveAttribute("tabindex");
  heights.content = 300;
  notifyResizes();
  expect(part).toHaveAttribute("tabindex", "0");
  expect(part).toHaveAttribute("role", "group");
  heights.box = 300;
  notifyResizes();
  expect(part).not.toHaveAttribute("tabindex");
  expect(part).not.toHaveAttribute("role");
  stop?.();
});

test("a cut part with a stop of its own needs no other", () => {
  const part = partOf({ box: 100, content: 300 }, '<div tabindex="0">Lines</div>');
  watchCut(part);
  notifyResizes();
  expect(part).not.toHaveAttribute("tabindex");
});

test.each([
  { name: "enough room", popup: [500, 500], body: [250, 900], isSqueezed: false },
  { name: "short words", popup: [500, 500], body: [40, 40], isSqueezed: false },
  {
    name: "a cut body with too little room",
    popup: [500, 500],
    body: [120, 900],
    isSqueezed: true,
  },
  { name: "buttons that are cut off", popup: [500, 520], body: [20, 20], isSqueezed: true },
])("all of a dialog scrolls or not: $name", ({ popup, body, isSqueezed }) => {
  const heightsOf = ([box = 0, content = 0]: number[]) => ({ box, content });
  const outer = partOf(heightsOf(popup));
  const inner = partOf(heightsOf(body));
  outer.append(inner);
  outer.scrollTop = 30;
  watchRoom(inner);
  notifyResizes();
  expect(outer.hasAttribute("data-squeezed")).toBe(isSqueezed);
  expect(outer.scrollTop).toBe(30);
});
