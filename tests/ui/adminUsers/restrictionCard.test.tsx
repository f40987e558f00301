/** Two administrators on one restriction, and a form closed half-finished. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import {
  RestrictionCard,
  type RestrictionCardProps,
} from "../../../src/features/adminUsers/RestrictionCard";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const OTHERS = { reason: "Court order", setBy: "other@demo.example", setAt: 0 };

const card = (changes: Partial<RestrictionCardProps> = {}) => (
  <RestrictionCard
    userId="maya"
    restriction={null}
    onSet={async () => true}
    onLift={async () => true}
    tomorrowIso="2026-11-25"
    isBusy={false}
    failure={null}
    clearFailure={() => undefined}
    done={null}
    {...changes}
  />
);

test("a restriction that another administrator sets meanwhile is not replaced unawares", async () => {
  const { user, rerender } = renderFeature(card());
  await user.click(screen.getByRole("button", { name: "Restrict transfers" }));
  const dialog = await screen.findByRole("dialog", { name: "Restrict transfers" });
  rerender(card({ restriction: OTHERS, isBusy: true }));
  expect(within(dialog).queryByRole("alert")).not.toBeInTheDocument();
  rerender(card({ restriction: OTHERS }));
  expect(within(dialog).getByRole("alert")).toHaveTextContent(
    "A restriction has been set in the meantime. This one would replace it.",
  );
  await expectNoAxeViolations();
});

test("a restriction that another administrator lifts meanwhile is said to be lifted", async () => {
  const { user, rerender } = renderFeature(card({ restriction: OTHERS }));
  await user.click(screen.getByRole("button", { name: "Lift restriction" }));
  const dialog = await screen.findByRole("alertdialog", { name: "Lift this restriction?" });
  rerender(card());
  expect(within(dialog).getByRole("alert")).toHaveTextContent(
    "The restriction has been lifted in the meantime.",
  );
});

test("reason and end outlive Escape, and leave with Cancel", async () => {
  const { user } = renderFeature(card());
  const open = async () => {
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await user.click(screen.getByRole("button", { name: "Restrict transfers" }));
  };
  await open();
  await user.type(await screen.findByLabelText("Reason"), "Unusual sign-ins");
  await user.type(screen.getByLabelText(/Ends on/), "2026-12-01");
  await user.keyboard("{Escape}");
  await open();
  expect(await screen.findByLabelText("Reason")).toHaveValue("Unusual sign-ins");
  expect(screen.getByLabelText(/Ends on/)).toHaveValue("2026-12-01");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await open();
  expect(await screen.findByLabelText("Reason")).toHaveValue("");
  expect(screen.getByLabelText(/Ends on/)).toHaveValue("");
});

test("an end that is half typed is not taken for none", async () => {
  const onSet = vi.fn(async () => false);
  const { user } = renderFeature(card({ onSet }));
  await user.click(screen.getByRole("button", { name: "Restrict transfers" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Reason"), "Review");
  // As browsers report it: no value, but something that is none.
  Object.defineProperty(dialog.getByLabelText("Ends on"), "validity", {
    value: { badInput: true },
  });
  await user.click(dialog.getByRole("button", { name: "Restrict transfers" }));
  expect(onSet).toHaveBeenCalledExactlyOnceWith("Review", "incomplete");
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
});
