import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { useStepsCut } from "../../../src/hooks/useStepsCut";
import { fakeResizes, notifyResizes } from "../../support/fakeResizes";

/** A box whose content is `content` px wide in a box of `box` px. */
const sizes = { box: 0, content: 0 };

function renderSteps() {
  const element = document.createElement("div");
  Object.defineProperty(element, "clientWidth", { get: () => sizes.box });
  Object.defineProperty(element, "scrollWidth", { get: () => sizes.content });
  const box = { current: element };
  const { result } = renderHook(() => useStepsCut(box, 2));
  const measure = () => act(notifyResizes);
  measure();
  return { result, measure };
}

beforeEach(fakeResizes);

test("each layout that is still cut off gives way to a narrower one, down to the last", () => {
  Object.assign(sizes, { box: 320, content: 500 });
  const { result, measure } = renderSteps();
  expect(result.current).toBe(1);
  measure();
  expect(result.current).toBe(2);
  measure();
  expect(result.current).toBe(2);
});

test("what fits stays as it is, and a wider box gets its layout back", () => {
  Object.assign(sizes, { box: 320, content: 500 });
  const { result, measure } = renderSteps();
  sizes.content = 320;
  measure();
  expect(result.current).toBe(1);
  sizes.box = 300;
  measure();
  expect(result.current).toBe(2);
  Object.assign(sizes, { box: 900, content: 900 });
  measure();
  expect(result.current).toBe(0);
});
