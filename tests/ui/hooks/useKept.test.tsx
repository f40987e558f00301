import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { useKept } from "../../../src/hooks/useKept";
import { forgetKept } from "../../../src/lib/kept";

const EMPTY = { front: "", back: "" };
const renderKept = () => renderHook(() => useKept("check", EMPTY));

beforeEach(forgetKept);

test("what is kept is the same for all who look, and outlives them, also what changes after they are gone", () => {
  const first = renderKept();
  const second = renderKept();
  act(() => first.result.current[1]({ front: "front.png" }));
  expect(second.result.current[0]).toEqual({ front: "front.png", back: "" });
  first.unmount();
  second.unmount();
  first.result.current[1]({ back: "back.png" });
  expect(renderKept().result.current[0]).toEqual({ front: "front.png", back: "back.png" });
});

test("nothing is left for the next session, not even what one that ended still changes", () => {
  const ended = renderKept();
  act(() => ended.result.current[1]({ front: "front.png" }));
  forgetKept();
  ended.rerender();
  const next = renderKept();
  expect(next.result.current[0]).toBe(EMPTY);
  act(() => ended.result.current[1]({ back: "back.png" }));
  expect(next.result.current[0]).toBe(EMPTY);
});
