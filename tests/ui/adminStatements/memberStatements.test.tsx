import { screen } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { beforeEach, expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { TEXTS } from "../../../convex/shared/texts";
import { MemberStatements } from "../../../src/features/adminStatements/MemberStatements";
import { fakeServer } from "../../support/convexReact";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";
import { STATEMENT } from "../../support/statement";

const saveFile = vi.hoisted(() => vi.fn());
vi.mock("convex/react", () => import("../../support/convexReact"));
vi.mock("../../../src/lib/saveFile", () => ({ saveFile }));

const PERIODS = "admin/statements:periods";
const open = vi.fn();

beforeEach(() => {
  saveFile.mockReset();
  open.mockReset();
  open.mockResolvedValue(STATEMENT);
  fakeServer.calls = { "admin/statements:open": open };
  fakeServer.queries = {
    [PERIODS]: [
      { period: "2025-03", label: "March 2025" },
      { period: "2022-05", label: "May 2022" },
    ],
  };
});

test("a statement is opened for the chosen account and month, and saved", async () => {
  const { user } = renderFeature(<MemberStatements userId="maya" />);
  await user.selectOptions(screen.getByLabelText("Account"), "Savings");
  await user.selectOptions(screen.getByLabelText("Period"), "May 2022");
  await user.click(screen.getByRole("button", { name: "Download CSV" }));
  expect(await screen.findByText(TEXTS.fileSaved)).toBeVisible();
  expect(open.mock.calls).toEqual([
    [{ userId: "maya", accountType: "Savings", period: "2022-05" }],
  ]);
  expect(saveFile.mock.calls).toMatchObject([
    ["statement-savings-3481029931-2022-05.csv", expect.any(Blob)],
  ]);
  await expectNoAxeViolations();
});

test("a refusal is said, until something else is chosen", async () => {
  const { code, message } = { code: "STATEMENT_TOO_LONG", message: MESSAGES.STATEMENT_TOO_LONG };
  open.mockRejectedValue(new ConvexError({ code, message }));
  const { user } = renderFeature(<MemberStatements userId="maya" />);
  await user.click(screen.getByRole("button", { name: "Download OFX" }));
  expect(await screen.findByText(message)).toBeVisible();
  await user.selectOptions(screen.getByLabelText("Period"), "May 2022");
  expect(screen.queryByText(message)).toBeNull();
  expect(saveFile).not.toHaveBeenCalled();
});

test("without a closed month there is nothing to download", () => {
  fakeServer.queries = { [PERIODS]: [] };
  renderFeature(<MemberStatements userId="maya" />);
  expect(screen.getByText("No month with transactions has closed yet.")).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});
