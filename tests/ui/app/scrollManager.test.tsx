import { act, screen, waitFor } from "@testing-library/react";
import { Link, useNavigate } from "react-router-dom";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ScrollManager } from "../../../src/app/ScrollManager";
import { useFocusOfHash } from "../../../src/app/useFocusOfHash";
import { renderFeature } from "../../support/renderFeature";

const SECTIONS = ["100%", "fees and hours", "hours"];

/** Opens a page at `address`; returns the ids of the sections that were brought into view. */
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

describe("links of the page that is shown", () => {
  afterEach(() => void vi.restoreAllMocks());

  /** A page with a section, and what navigating it has done since the last check. */
  function openPage() {
    let goBack: () => void = () => undefined;
    function Page() {
      const navigate = useNavigate();
      goBack = () => void navigate(-1);
      useFocusOfHash(true);
      return (
        <main>
          <ScrollManager />
          <Link to="/dashboard">Dashboard</Link>
          <Link to="/dashboard#transfer-section">Transfers</Link>
          <Link to="/dashboard?page=2#transfer-section">Second page</Link>
          <Link to="/dashboard" replace>
            Tab
          </Link>
          <section id="transfer-section">
            <h2 tabIndex={-1}>Transfer Money</h2>
          </section>
        </main>
      );
    }
    const toSection = vi.spyOn(Element.prototype, "scrollIntoView");
    const toTop = vi.spyOn(window, "scrollTo");
    const { user } = renderFeature(<Page />, "/dashboard");
    const moves = () => {
      const made = { toSection: toSection.mock.calls.length, toTop: toTop.mock.calls.length };
      toSection.mockClear();
      toTop.mockClear();
      return made;
    };
    return {
      moves,
      follow: (name: string) => user.click(screen.getByRole("link", { name })),
      back: () => act(async () => goBack()),
    };
  }

  test("a section comes into view and has the focus however often its link is followed", async () => {
    const { follow, moves } = openPage();
    for (let times = 1; times <= 4; times++) {
      await follow("Transfers");
      expect(moves()).toEqual({ toSection: 1, toTop: 0 });
      expect(screen.getByRole("heading", { name: "Transfer Money" })).toHaveFocus();
    }
  });

  test("the link of the page itself leads from the section to the top, a tab of it does not", async () => {
    const { follow, moves } = openPage();
    await follow("Transfers");
    moves();
    await follow("Dashboard");
    expect(moves()).toEqual({ toSection: 0, toTop: 1 });
    await follow("Transfers");
    moves();
    await follow("Tab");
    expect(moves()).toEqual({ toSection: 0, toTop: 0 });
  });

  test("back between two visits of one place, and back to the page, scroll nothing", async () => {
    const { follow, back, moves } = openPage();
    await follow("Transfers");
    await follow("Second page");
    moves();
    await back();
    expect(moves()).toEqual({ toSection: 0, toTop: 0 });
    await back();
    expect(moves()).toEqual({ toSection: 0, toTop: 0 });
  });
});
