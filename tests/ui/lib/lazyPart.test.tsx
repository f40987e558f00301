import { render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { ErrorBoundary } from "../../../src/components/ui/ErrorBoundary";
import { lazyPart, retryParts } from "../../../src/lib/lazyPart";
import { PartUnavailableError } from "../../../src/lib/loadPart";
import { renderFeature } from "../../support/renderFeature";

afterEach(() => vi.unstubAllGlobals());

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

test("one that arrived at last is drawn at once from then on, whatever else is tried again", async () => {
  const silent = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => silent.mockRestore());
  const load = vi.fn(async () => ({ Form }));
  load.mockRejectedValueOnce(new PartUnavailableError());
  const Part = lazyPart(load, "Form");
  const page = (
    <ErrorBoundary name="The form">
      <Suspense fallback="Loading">
        <Part />
      </Suspense>
    </ErrorBoundary>
  );
  const { user, unmount } = renderFeature(page);
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Form")).toBeVisible();
  unmount();
  retryParts();
  render(page);
  expect(screen.getByText("Form")).toBeVisible();
});

test("one that did not arrive is asked for again on request, each time, and the page stays", async () => {
  const silent = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => silent.mockRestore());
  const load = vi.fn(async () => ({ Form }));
  for (let misses = 0; misses < 2; misses++) load.mockRejectedValueOnce(new PartUnavailableError());
  const askForPage = vi.fn(async () => new Response());
  vi.stubGlobal("fetch", askForPage);
  const Part = lazyPart(load, "Form");
  const { user } = renderFeature(
    <ErrorBoundary name="The form">
      <Suspense fallback="Loading">
        <Part />
      </Suspense>
    </ErrorBoundary>,
  );
  for (let misses = 0; misses < 2; misses++) {
    const failure = await screen.findByRole("alert");
    expect(failure).toHaveTextContent("The connection may have been interrupted.");
    await user.click(screen.getByRole("button", { name: "Try again" }));
  }
  expect(await screen.findByText("Form")).toBeVisible();
  expect(load).toHaveBeenCalledTimes(3);
  expect(askForPage).not.toHaveBeenCalled();
});
