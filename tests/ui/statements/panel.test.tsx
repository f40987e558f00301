import { screen, within } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { beforeEach, expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { TEXTS } from "../../../convex/shared/texts";
import { CardStatements } from "../../../src/features/statements/CardStatements";
import { StatementsPanel } from "../../../src/features/statements/StatementsPanel";
import { fakeServer } from "../../support/convexReact";
import { renderFeature } from "../../support/renderFeature";
import { STATEMENT } from "../../support/statement";

const PERIODS = [
  { period: "2025-03", label: "March 2025" },
  { period: "2025-02", label: "February 2025" },
];
const ACCOUNTS = [{ type: "Checking" }, { type: "Savings" }] as const;

beforeEach(() => {
  fakeServer.queries = { "statements:periods": PERIODS, "statements:get": STATEMENT };
});

test("a statement that cannot be made says why, and another can still be chosen", () => {
  const code = "STATEMENT_TOO_LONG";
  fakeServer.queries["statements:get"] = new ConvexError({ code, message: MESSAGES[code] });
  renderFeature(<StatementsPanel accounts={ACCOUNTS} />);
  expect(screen.getByRole("alert")).toHaveTextContent(MESSAGES[code]);
  expect(screen.getByLabelText("Period")).toBeEnabled();
});

test("a period that is no longer offered gives way to the newest", async () => {
  const { user, rerender } = renderFeature(<StatementsPanel accounts={ACCOUNTS} />);
  await user.selectOptions(screen.getByLabelText("Period"), "February 2025");
  fakeServer.queries["statements:periods"] = PERIODS.slice(0, 1);
  rerender(<StatementsPanel accounts={[...ACCOUNTS]} />);
  const request = vi.fn(async () => null);
  fakeServer.calls["statements:request"] = request;
  await user.click(screen.getByRole("button", { name: "Download" }));
  expect(request).toHaveBeenCalledWith({ accountType: "Checking", period: "2025-03" });
});

test("without an account, a download is refused at the field that lacks it", async () => {
  const { user } = renderFeature(<StatementsPanel accounts={ACCOUNTS} />);
  const account = screen.getByLabelText("Account");
  await user.selectOptions(account, "Choose an account");
  await user.click(screen.getByRole("button", { name: "Download" }));
  expect(account).toHaveFocus();
  expect(account).toHaveAccessibleDescription(MESSAGES.STATEMENT_INCOMPLETE);
});

test.each([
  ["recent statements", <StatementsPanel key="panel" accounts={ACCOUNTS} />],
  ["statements of cards", <CardStatements key="cards" />],
])("among %s, what came of a download stands in the row of its button", async (_name, list) => {
  const failed = new ConvexError({ code: "FILE_FAILED", message: MESSAGES.FILE_FAILED });
  fakeServer.calls["statements:request"] = () => Promise.reject(failed);
  const { user } = renderFeature(list);
  const name = "Download the February 2025 statement";
  await user.click(screen.getByRole("button", { name }));
  const row = (await screen.findByRole("alert")).closest("li");
  expect(row).toHaveTextContent(MESSAGES.FILE_FAILED);
  expect(within(row!).getByRole("button", { name })).toBeVisible();
});

test("two downloads of one month each keep their own outcome", async () => {
  const refusal = (code: "FILE_FAILED" | "RATE_LIMITED") =>
    new ConvexError({ code, message: MESSAGES[code] });
  fakeServer.calls["statements:request"] = vi
    .fn()
    .mockRejectedValueOnce(refusal("FILE_FAILED"))
    .mockRejectedValueOnce(refusal("RATE_LIMITED"));
  const { user } = renderFeature(<StatementsPanel accounts={ACCOUNTS} />);
  await user.click(screen.getByRole("button", { name: "Download the March 2025 statement" }));
  await user.click(screen.getByRole("button", { name: "Download" }));
  const [chosen, recent] = await screen.findAllByRole("alert");
  expect(chosen).toHaveTextContent(MESSAGES.RATE_LIMITED);
  expect(chosen!.closest("li")).toBeNull();
  expect(recent!.closest("li")).toHaveTextContent(MESSAGES.FILE_FAILED);
  await user.selectOptions(screen.getByLabelText("Account"), "Savings");
  expect(screen.queryAllByRole("alert")).toEqual([]);
});

test("only a PDF is also sent by e-mail; another choice takes away what is said of this one", async () => {
  const request = vi.fn(async () => null);
  const statement = async () => STATEMENT;
  fakeServer.calls = { "statements:request": request, "statements:get": statement };
  URL.createObjectURL = () => "blob:file";
  URL.revokeObjectURL = () => undefined;
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  const { user } = renderFeature(<StatementsPanel accounts={ACCOUNTS} />);
  await user.click(screen.getByRole("button", { name: "Download CSV" }));
  await screen.findByText(TEXTS.fileSaved);
  expect(click.mock.contexts).toMatchObject([{ download: "statement-checking-2025-03.csv" }]);
  expect(request).not.toHaveBeenCalled();
  await user.selectOptions(screen.getByLabelText("Period"), "February 2025");
  expect(screen.queryByText(TEXTS.fileSaved)).toBeNull();
});

test("three statements are listed as recent", () => {
  const periods = ["2025-03", "2025-02", "2025-01", "2024-12"];
  fakeServer.queries["statements:periods"] = periods.map((period) => ({ period, label: period }));
  renderFeature(<StatementsPanel accounts={ACCOUNTS} />);
  const names = screen.getAllByRole("button", { name: /^Download the/ });
  expect(names.map((button) => button.ariaLabel)).toEqual(
    periods.slice(0, 3).map((period) => `Download the ${period} statement`),
  );
});
