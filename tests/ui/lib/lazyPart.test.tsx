import { render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { expect, test, vi } from "vitest";
import { lazyPart } from "../../../src/lib/lazyPart";

const Form = () => <p>Form</p>;

test("a part fetched ahead is drawn at once, without its fallback", async () => {
  const load = vi.fn(async () => ({ Form }));
  const Part = lazyPart(load, "Form");
  await Part.preload();
  render(<Suspense fallback="Loading">{<Part />}</Suspense>);
  expect(screen.getByText("Form")).toBeVisible();
  expect(load).toHaveBeenCalledTimes(1);
});

test("one that could not be fetched ahead is asked for when it is drawn", async () => {
  const load = vi.fn(async () => ({ Form }));
  load.mockRejectedValueOnce(new TypeError("no connection"));
  const Part = lazyPart(load, "Form");
  await Part.preload();
  render(<Suspense fallback="Loading">{<Part />}</Suspense>);
  expect(await screen.findByText("Form")).toBeVisible();
});
