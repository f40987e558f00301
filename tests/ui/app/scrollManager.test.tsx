import { screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ScrollManager } from "../../../src/app/ScrollManager";
import { renderFeature } from "../../support/renderFeature";

const SECTIONS = ["100%", "fees and hours", "hours"];

/** The ids of the sections that were brought into view when a page opened at `address`. */
function openAt(address: string): { readonly broughtIntoView: ReadonlySet<string> } {
  const broughtIntoView = new Set<string>();
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
    broughtIntoView.add(this.id);
  });
  renderFeature(
    <main>
      <ScrollManager />
      {SECTIONS.map((id) => (
        <h2 key={id} id={id}>
          {id}
        </h2>
      ))}
    </main>,
    address,
  );
  return { broughtIntoView };
}

describe("a fragment of the address", () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each([
    ["/about#hours", "hours"],
    ["/about#fees%20and%20hours", "fees and hours"],
    ["/about#100%", "100%"],
  ])("%s brings its section into view", async (address, section) => {
    const { broughtIntoView } = openAt(address);
    await waitFor(() => expect([...broughtIntoView]).toEqual([section]));
    expect(screen.getByRole("heading", { name: section })).toBeVisible();
  });
});
