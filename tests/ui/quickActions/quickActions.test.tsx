import { screen, within } from "@testing-library/react";
import { useLocation, useNavigate } from "react-router-dom";
import { expect, test } from "vitest";
import { RewardsPanel, ZellePanel } from "../../../src/features/quickActions/ComingPanels";
import { QuickActions } from "../../../src/features/quickActions/QuickActions";
import { hashOf, QUICK_ACTIONS, quickActionOf } from "../../../src/features/quickActions/actions";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

/** The section as the dashboard wires it: the address says what is open. */
function Wired() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  return (
    <QuickActions
      open={quickActionOf(hash)}
      onOpen={(key) => void navigate(hashOf(key))}
      panels={{
        billpay: <p>bills</p>,
        deposit: <p>deposit</p>,
        cards: <p>cards</p>,
        statements: <p>statements</p>,
        zelle: <ZellePanel />,
        rewards: <RewardsPanel />,
      }}
    />
  );
}

test("six tiles in the specification's order, each opening in place and leading back", async () => {
  const { user } = renderFeature(<Wired />, "/dashboard");
  const region = screen.getByRole("region", { name: "Quick Actions" });
  expect(
    within(region)
      .getAllByRole("button")
      .map((tile) => tile.textContent),
  ).toEqual(["Bill Pay", "Mobile Deposit", "Cards", "Statements", "Zelle", "Rewards"]);
  for (const { label } of QUICK_ACTIONS) {
    await user.click(screen.getByRole("button", { name: label }));
    expect(screen.getByRole("heading", { level: 2, name: label })).toHaveFocus();
    await user.click(screen.getByRole("link", { name: "Back to Quick Actions" }));
    expect(screen.getByRole("button", { name: label })).toHaveFocus();
  }
});

test.each([
  ["#quick-actions-billpay", "Bill Pay"],
  ["#quick-actions-cards", "Cards"],
])("the hash %s opens %s", (hash, name) => {
  renderFeature(<Wired />, `/dashboard${hash}`);
  expect(screen.getByRole("heading", { level: 2, name })).toBeVisible();
});

test("an unknown hash opens nothing", () => {
  expect(quickActionOf("#quick-actions-loans")).toBeNull();
  expect(quickActionOf("#transfer-section")).toBeNull();
});

test("Zelle is coming soon and Rewards are being enhanced, check back soon", async () => {
  const { rerender } = renderFeature(<ZellePanel />);
  expect(screen.getByText(/coming soon/i)).toBeVisible();
  rerender(<RewardsPanel />);
  expect(screen.getByText(/being enhanced, check back soon/i)).toBeVisible();
  await expectNoAxeViolations();
});
