import { act, fireEvent, screen, within } from "@testing-library/react";
import type { FormEvent } from "react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Avatar } from "../../../src/components/ui/Avatar";
import { Badge } from "../../../src/components/ui/Badge";
import { SignedAmount } from "../../../src/components/bank/SignedAmount";
import { BalanceFigure } from "../../../src/components/bank/BalanceFigure";
import { Button } from "../../../src/components/ui/Button";
import { CopyButton } from "../../../src/components/ui/CopyButton";
import { DataTable } from "../../../src/components/ui/DataTable";
import { ErrorSummary } from "../../../src/components/ui/ErrorSummary";
import { LoadMore } from "../../../src/components/ui/LoadMore";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

test("a busy button says its verb, keeps the focus and ignores clicks", async () => {
  const onClick = vi.fn();
  const { user } = renderFeature(
    <Button isBusy busyLabel="Creating..." onClick={onClick}>
      Create User
    </Button>,
  );
  const button = screen.getByRole("button", { name: "Creating..." });
  await user.click(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute("aria-disabled", "true");
});

test("a button that is disabled while it has the focus keeps it, acts no more, and is disabled once it is left", async () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn((event: FormEvent) => event.preventDefault());
  const form = (disabled: boolean) => (
    <form onSubmit={onSubmit}>
      <Button type="submit" disabled={disabled} onClick={onClick}>
        Zoom in
      </Button>
      <Button>Next</Button>
    </form>
  );
  const { user, rerender } = renderFeature(form(false));
  const button = screen.getByRole("button", { name: "Zoom in" });
  await user.click(button);
  rerender(form(true));
  expect(button).toHaveFocus();
  expect(button).toBeEnabled();
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.keyboard("{Enter}");
  expect(onClick).toHaveBeenCalledTimes(1);
  expect(onSubmit).toHaveBeenCalledTimes(1);
  await user.tab();
  expect(screen.getByRole("button", { name: "Next" })).toHaveFocus();
  expect(button).toBeDisabled();
  rerender(form(false));
  expect(button).toBeEnabled();
  expect(button).not.toHaveAttribute("aria-disabled");
});

test("a busy submit button does not submit its form", async () => {
  const onSubmit = vi.fn();
  const { user } = renderFeature(
    <form onSubmit={onSubmit}>
      <Button type="submit" isBusy>
        Send
      </Button>
    </form>,
  );
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(onSubmit).not.toHaveBeenCalled();
});

test("the name of a copy button says copied for two seconds", async () => {
  vi.useFakeTimers();
  try {
    renderFeature(<CopyButton value="3481029931" what="account number" />);
    const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    fireEvent.click(screen.getByRole("button", { name: "Copy account number" }));
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(writeText).toHaveBeenCalledWith("3481029931");
    expect(screen.getByRole("button", { name: "Account number copied" })).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(1_999));
    expect(screen.getByRole("button", { name: "Account number copied" })).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.getByRole("button", { name: "Copy account number" })).toBeVisible();
  } finally {
    vi.useRealTimers();
  }
});

test("a copy button copies by selection where there is no clipboard, and keeps the focus", async () => {
  const { user } = renderFeature(<CopyButton value="3481029931" what="account number" />);
  const clipboard = vi.spyOn(navigator, "clipboard", "get").mockReturnValue(undefined as never);
  let copied = "";
  const execCommand = () => {
    copied = document.querySelector("textarea")?.value ?? "";
    return true;
  };
  Object.assign(document, { execCommand });
  try {
    await user.click(screen.getByRole("button", { name: "Copy account number" }));
    expect(await screen.findByRole("button", { name: "Account number copied" })).toHaveFocus();
    expect(copied).toBe("3481029931");
  } finally {
    clipboard.mockRestore();
    Reflect.deleteProperty(document, "execCommand");
  }
});

describe("ErrorSummary", () => {
  const problems = [{ fieldId: "email", message: "Please enter a valid email address" }];

  test("takes the focus on every attempt, prefixes the title and leads to the field", async () => {
    document.title = "Open an account";
    const form = (attempt: number) => (
      <main>
        <ErrorSummary problems={problems} attempt={attempt} />
        <input id="email" aria-label="Email" />
      </main>
    );
    const { user, rerender, unmount } = renderFeature(form(1));
    const summary = screen.getByRole("alert").parentElement;
    expect(summary).toHaveFocus();
    expect(document.title).toBe("Error: Open an account");
    await expectNoAxeViolations();
    await user.click(screen.getByRole("link", { name: "Please enter a valid email address" }));
    expect(screen.getByLabelText("Email")).toHaveFocus();
    rerender(form(2));
    expect(summary).toHaveFocus();
    unmount();
    expect(document.title).toBe("Open an account");
  });

  test("says what is of the form as a whole, which no field could mend, without a link", () => {
    renderFeature(<ErrorSummary problems={[{ message: "Please try again later." }]} attempt={1} />);
    const sentence = within(screen.getByRole("alert")).getByText("Please try again later.");
    expect(sentence).toBeVisible();
    expect(screen.queryByRole("link")).not.toBeInTheDocument();
  });

  test("is absent without problems", () => {
    renderFeature(<ErrorSummary problems={[]} attempt={1} />);
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });
});

/** A paginated list below a search field. */
const pages = (rows: number, status: "CanLoadMore" | "LoadingMore") => (
  <>
    <input aria-label="Search" />
    <ul id="rows">
      {Array.from({ length: rows }, (_, row) => (
        <li key={row}>Row {row + 1}</li>
      ))}
    </ul>
    <LoadMore listId="rows" status={status} onLoadMore={() => undefined} />
  </>
);

test("after Load more the focus is on the first new row", async () => {
  const { user, rerender } = renderFeature(pages(2, "CanLoadMore"));
  await user.click(screen.getByRole("button", { name: "Load more" }));
  rerender(pages(2, "LoadingMore"));
  rerender(pages(4, "CanLoadMore"));
  expect(screen.getByText("Row 3")).toHaveFocus();
});

test("new rows do not take the focus from where it has moved meanwhile", async () => {
  const { user, rerender } = renderFeature(pages(2, "CanLoadMore"));
  await user.click(screen.getByRole("button", { name: "Load more" }));
  rerender(pages(2, "LoadingMore"));
  await user.type(screen.getByLabelText("Search"), "maya");
  rerender(pages(4, "CanLoadMore"));
  expect(screen.getByLabelText("Search")).toHaveFocus();
});

test("after Load more of rows that are a table and a list the focus is on the shown new row", async () => {
  const table = (rows: readonly string[], status: "CanLoadMore" | "LoadingMore") => (
    <div id="rows">
      <DataTable
        caption="Rows"
        columns={[{ key: "name", header: "Name", cell: (row) => row }]}
        rows={rows}
        rowKey={(row) => row}
        renderNarrow={(row) => row}
      />
      <LoadMore listId="rows" status={status} onLoadMore={() => undefined} />
    </div>
  );
  // As a style sheet would: where the table fits, its list is not shown.
  const visibility = vi.spyOn(Element.prototype, "checkVisibility");
  visibility.mockImplementation(function (this: Element) {
    return this.closest("ul") === null;
  });
  onTestFinished(() => visibility.mockRestore());
  const { user, rerender } = renderFeature(table(["a", "b"], "CanLoadMore"));
  await user.click(screen.getByRole("button", { name: "Load more" }));
  rerender(table(["new", "a", "b"], "LoadingMore"));
  rerender(table(["new", "a", "b", "c", "d"], "CanLoadMore"));
  expect(screen.getByRole("row", { name: "c" })).toHaveFocus();
});

test("amounts carry their sign, the balance reads as one amount", () => {
  renderFeature(
    <>
      <SignedAmount type="credit" amountCents={24_500n} />
      <SignedAmount type="debit" amountCents={6_418n} />
      <BalanceFigure cents={1_248_055n} />
    </>,
  );
  expect(screen.getByText("+$245.00")).toBeVisible();
  expect(screen.getByText("-$64.18")).toBeVisible();
  expect(document.body).toHaveTextContent("$12,480.55");
});

test("a badge keeps its word in lower case in the document", () => {
  renderFeature(<Badge>pending</Badge>);
  expect(screen.getByText("pending")).toBeVisible();
});

test("initials are whole characters", () => {
  for (const [name, initials] of [
    ["Maya Torres", "MT"],
    ["Omar", "O"],
    ["😀 Zoë van Dyk", "😀D"],
    [" ", ""],
  ] as const) {
    const { container, unmount } = renderFeature(<Avatar name={name} />);
    expect(container).toHaveTextContent(new RegExp(`^${initials}$`));
    unmount();
  }
});
