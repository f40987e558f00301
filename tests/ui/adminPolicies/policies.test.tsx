import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { PolicyList, type PolicyRow } from "../../../src/features/adminPolicies/PolicyList";
import { usePolicies } from "../../../src/features/adminPolicies/usePolicies";
import { fakeServer } from "../../support/convexReact";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const POLICY: PolicyRow = {
  key: "otpReuse",
  value: '"oncePerSession"',
  asSpecified: '"oncePerSession"',
  recommended: '"oncePerMember"',
  specSection: "5",
  text: "How often a code may be used.",
};

function Policies() {
  return <PolicyList {...usePolicies()} />;
}

beforeEach(() => {
  fakeServer.queries = { "admin/policies:list": [POLICY] };
  fakeServer.calls = {};
});

test("a radio that was just chosen keeps the focus while the policy is switched", async () => {
  fakeServer.calls["admin/policies:set"] = () => new Promise(() => undefined);
  const { user } = renderFeature(<Policies />);
  const radio = screen.getByRole("radio", { name: /^Recommended/ });
  await user.click(radio);
  expect(radio).toHaveFocus();
  expect(radio).toBeEnabled();
});

test("a refusal does not stand beside the success of the next switch", async () => {
  fakeServer.calls["admin/policies:set"] = () => Promise.reject(new Error("no connection"));
  const { user } = renderFeature(<Policies />);
  await user.click(screen.getByRole("radio", { name: /^Recommended/ }));
  expect(await screen.findByText(MESSAGES.SAVE_FAILED)).toBeVisible();
  await expectNoAxeViolations();
  await user.click(screen.getByRole("button", { name: "Apply recommended policies" }));
  const dialog = await screen.findByRole("alertdialog");
  await user.click(within(dialog).getByRole("button", { name: "Apply policies" }));
  expect(await screen.findByText("The recommended policies are in force.")).toBeVisible();
  expect(screen.queryByText(MESSAGES.SAVE_FAILED)).not.toBeInTheDocument();
});

test("once all are switched, the card's heading has the focus: its button is disabled", async () => {
  fakeServer.calls["admin/policies:applyRecommended"] = async () => {
    fakeServer.queries = { "admin/policies:list": [{ ...POLICY, value: POLICY.recommended }] };
  };
  const { user } = renderFeature(<Policies />);
  const button = screen.getByRole("button", { name: "Apply recommended policies" });
  await user.click(button);
  const dialog = await screen.findByRole("alertdialog");
  await user.click(within(dialog).getByRole("button", { name: "Apply policies" }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(button).toBeDisabled();
  expect(screen.getByRole("heading", { name: "Recommended policies" })).toHaveFocus();
});

test("the outcome of a switch stands with its policy", async () => {
  const other = { key: "passwordMinLength", value: "6", asSpecified: "6", recommended: "8" };
  fakeServer.queries = { "admin/policies:list": [POLICY, { ...POLICY, ...other }] };
  const { user } = renderFeature(<Policies />);
  const card = within(screen.getByRole("region", { name: "Shortest password" }));
  await user.click(card.getByRole("radio", { name: /^Recommended/ }));
  expect(await card.findByText("Shortest password was switched.")).toBeVisible();
  fakeServer.calls["admin/policies:set"] = () => Promise.reject(new Error("no connection"));
  await user.click(card.getByRole("radio", { name: /^Recommended/ }));
  expect(await card.findByRole("alert")).toHaveTextContent(MESSAGES.SAVE_FAILED);
  expect(screen.getAllByRole("alert")).toHaveLength(1);
});

test("of two policies switched right after each other, each has its own outcome", async () => {
  const other = { key: "passwordMinLength", value: "6", asSpecified: "6", recommended: "8" };
  fakeServer.queries = { "admin/policies:list": [POLICY, { ...POLICY, ...other }] };
  const answers: (() => void)[] = [];
  fakeServer.calls["admin/policies:set"] = ({ key }) =>
    new Promise((resolve, reject) =>
      answers.push(() => (key === other.key ? resolve(null) : reject(new Error("refused")))),
    );
  const { user } = renderFeature(<Policies />);
  const [reuse, length] = screen.getAllByRole("radio", { name: /^Recommended/ });
  await user.click(reuse!);
  await user.click(length!);
  answers[0]?.();
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  const card = within(screen.getByRole("region", { name: "Shortest password" }));
  expect(await card.findByText("Shortest password was switched.")).toBeVisible();
  expect(card.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("alert")).toHaveTextContent(MESSAGES.SAVE_FAILED);
});
