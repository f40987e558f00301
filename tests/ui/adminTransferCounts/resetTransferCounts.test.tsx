import { screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { ResetTransferCounts } from "../../../src/features/adminTransferCounts/ResetTransferCounts";
import { idOf } from "../../support/ids";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const MAYA = {
  userId: idOf<"users">("u1"),
  email: "maya@demo.example",
  name: "Maya",
  count: 2,
  isProtected: false,
};
const VERA = {
  ...MAYA,
  userId: idOf<"users">("u2"),
  email: "vip@demo.example",
  name: "Vera",
  count: 0,
  isProtected: true,
};

describe("Reset Transfer Counts", () => {
  const props = {
    rows: [MAYA, VERA],
    status: "Exhausted" as const,
    onLoadMore: () => undefined,
    busyUserIds: [],
    isResettingAll: false,
    outcomeOf: () => ({ success: null, failure: null }),
  };

  test("asks before everyone is reset, and Cancel goes back", async () => {
    const onResetAll = vi.fn();
    const { user } = renderFeature(
      <ResetTransferCounts {...props} onResetAll={onResetAll} onResetOne={() => undefined} />,
    );
    const open = { name: "Initiate Reset All Transfer Counts" };
    await user.click(screen.getByRole("button", open));
    expect(
      screen.getByText(
        "Are you sure you want to reset all transfer counts? This action cannot be undone.",
      ),
    ).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(onResetAll).not.toHaveBeenCalled();
    await user.click(screen.getByRole("button", open));
    await user.click(screen.getByRole("button", { name: "Confirm Reset All" }));
    expect(onResetAll).toHaveBeenCalledOnce();
  });

  test("no member is reset alone while everyone is: it would hide how that ended", () => {
    const silent = () => undefined;
    renderFeature(
      <ResetTransferCounts {...props} isResettingAll onResetAll={silent} onResetOne={silent} />,
    );
    expect(screen.getByRole("button", { name: "Reset maya@demo.example" })).toBeDisabled();
  });

  test("each member is reset alone, the protected account is not", async () => {
    const onResetOne = vi.fn();
    const { user } = renderFeature(
      <ResetTransferCounts {...props} onResetAll={() => undefined} onResetOne={onResetOne} />,
    );
    expect(screen.getByText("Current count: 2")).toBeVisible();
    expect(screen.getByRole("button", { name: "Reset vip@demo.example" })).toBeDisabled();
    await user.click(screen.getByRole("button", { name: "Reset maya@demo.example" }));
    expect(onResetOne.mock.calls).toEqual([["u1"]]);
    await expectNoAxeViolations();
  });

  test.each(["u1", null])("what came of the reset of %s stands with it", (resetOf) => {
    renderFeature(
      <ResetTransferCounts
        {...props}
        onResetAll={() => undefined}
        onResetOne={() => undefined}
        outcomeOf={(userId) => ({
          success: userId === resetOf ? "Done" : null,
          failure: userId === resetOf ? "Error: no" : null,
        })}
      />,
    );
    const rowOf = (element: HTMLElement) => element.closest("li");
    const button = screen.getByRole("button", { name: "Reset maya@demo.example" });
    const expected = resetOf === null ? null : rowOf(button);
    expect(rowOf(screen.getByText("Done"))).toBe(expected);
    expect(rowOf(screen.getByText("Error: no"))).toBe(expected);
  });

  test("a first page of nothing but administrators is not the last word", async () => {
    const onLoadMore = vi.fn();
    const silent = { onResetAll: () => undefined, onResetOne: () => undefined };
    const { user } = renderFeature(
      <ResetTransferCounts
        {...props}
        {...silent}
        rows={[]}
        status="CanLoadMore"
        onLoadMore={onLoadMore}
      />,
    );
    expect(screen.queryByText("No members yet")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Load more" }));
    expect(onLoadMore).toHaveBeenCalledOnce();
  });

  test("while resetting the button says so", () => {
    renderFeature(
      <ResetTransferCounts
        {...props}
        isResettingAll
        onResetAll={() => undefined}
        onResetOne={() => undefined}
      />,
    );
    expect(screen.getByRole("button", { name: "Resetting..." })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });
});
