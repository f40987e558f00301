import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { isCurrentLink, MAIN_LINKS } from "../../../src/components/layout/mainLinks";
import { MemberLayout } from "../../../src/components/layout/MemberLayout";
import { TopNavigation } from "../../../src/components/layout/TopNavigation";
import { PageHeading } from "../../../src/components/ui/PageHeading";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

function frame({ isAdmin = false, onSignOut = () => undefined } = {}) {
  return (
    <MemberLayout
      navigation={
        <TopNavigation
          name="Maya Torres"
          email="maya@demo.example"
          isAdmin={isAdmin}
          notifications={null}
          onSignOut={onSignOut}
        />
      }
    >
      <PageHeading title="Dashboard" />
    </MemberLayout>
  );
}

describe("the signed-in frame", () => {
  test("offers the four specified links, help with the support email, and a way past them", async () => {
    const { user } = renderFeature(frame(), "/dashboard");
    const [top] = screen.getAllByRole("navigation", { name: "Main" });
    const links = within(top as HTMLElement).getAllByRole("link");
    expect(links.map((link) => link.textContent)).toEqual([
      "Dashboard",
      "Transfers",
      "Cards",
      "Bill Pay",
    ]);
    expect(links[0]).toHaveAttribute("aria-current", "page");
    await user.hover(screen.getByRole("button", { name: "Help" }));
    expect(screen.getByRole("tooltip")).toHaveTextContent("support@wrenmoor.example");
    await user.click(screen.getByRole("link", { name: "Skip to main content" }));
    expect(screen.getByRole("main")).toHaveFocus();
    expect(screen.getByText(/Demonstration product/)).toBeVisible();
    expect(document.title).toBe("Dashboard · Wrenmoor Credit Union");
  });

  test("a member's menu has no administration, an admin's has", async () => {
    const { user, unmount } = renderFeature(frame());
    await user.click(screen.getByRole("button", { name: "Account menu, MT Maya Torres" }));
    const names = () => screen.getAllByRole("menuitem").map((entry) => entry.textContent);
    expect(names()).toEqual(["Profile Settings", "Account Settings", "Sign out"]);
    unmount();
    const admin = renderFeature(frame({ isAdmin: true }));
    await admin.user.click(screen.getByRole("button", { name: /Account menu/ }));
    expect(names()).toEqual([
      "Reset Transfer Counts",
      "Profile Settings",
      "Account Settings",
      "Sign out",
    ]);
    await expectNoAxeViolations();
  });

  test("signs out from the menu by keyboard alone", async () => {
    const onSignOut = vi.fn();
    const { user } = renderFeature(frame({ onSignOut }));
    screen.getByRole("button", { name: /Account menu/ }).focus();
    await user.keyboard("{ArrowUp}");
    await waitFor(() => expect(screen.getByRole("menuitem", { name: "Sign out" })).toHaveFocus());
    await user.keyboard("{Enter}");
    expect(onSignOut).toHaveBeenCalledTimes(1);
  });
});

test.each([
  ["/dashboard", "", "Dashboard"],
  ["/dashboard", "#transfer-section", "Transfers"],
  ["/dashboard", "#quick-actions-cards", "Cards"],
  ["/dashboard", "#quick-actions-billpay", "Bill Pay"],
  ["/dashboard", "#quick-actions-statements", "Dashboard"],
  ["/settings/profile", "", undefined],
])("at %s%s the current link is %s", (pathname, hash, label) => {
  const current = MAIN_LINKS.filter((link) => isCurrentLink(link, { pathname, hash }));
  expect(current.map((link) => link.label)).toEqual(label === undefined ? [] : [label]);
});
