import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import type { FormEvent } from "react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Dialog } from "../../../src/components/ui/Dialog";
import { LiveAnnouncer } from "../../../src/components/ui/LiveAnnouncer";
import { Toasts } from "../../../src/components/ui/Toasts";
import { announce, clearAnnouncements } from "../../../src/lib/announce";
import { clearToasts, showToast } from "../../../src/lib/toasts";
import { PATIENCE } from "../../support/patience";
import { renderFeature } from "../../support/renderFeature";

afterEach(() =>
  act(() => {
    clearToasts();
    clearAnnouncements();
  }),
);

test("a toast is announced and can be dismissed", async () => {
  const { user } = renderFeature(<Toasts />);
  act(() => showToast({ title: "Deposit approved", body: "$120.00 is available." }));
  expect(screen.getByRole("status", { name: "Live events" })).toHaveTextContent("Deposit approved");
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText("Deposit approved")).not.toBeInTheDocument();
});

test("an open dialog hides the page, but not what is announced and what happens live", async () => {
  renderFeature(
    <>
      <main>Users</main>
      <Dialog isOpen onClose={() => undefined} title="User Verification" />
      <Toasts />
      <LiveAnnouncer />
    </>,
  );
  await screen.findByRole("dialog");
  act(() => showToast({ title: "Money received" }));
  act(() => announce("New application from lena@demo.example"));
  // Only those that assistive technology can reach.
  const heard = () => screen.getAllByRole("status").map((region) => region.textContent);
  await waitFor(
    () => expect(heard()).toContain("New application from lena@demo.example"),
    PATIENCE,
  );
  expect(heard()).toContain("Money received");
  expect(screen.queryByRole("main")).not.toBeInTheDocument();
});

test("a dismissed toast gives the focus back to where it came from, or else to the page", async () => {
  const { user } = renderFeature(
    <>
      <main tabIndex={-1}>
        <input aria-label="Reference" />
      </main>
      <Toasts />
    </>,
  );
  act(() => showToast({ title: "Deposit approved" }));
  await user.click(screen.getByLabelText("Reference"));
  await user.tab();
  await user.keyboard("{Enter}");
  expect(screen.getByLabelText("Reference")).toHaveFocus();
  act(() => showToast({ title: "Money received" }));
  act(() => screen.getByLabelText("Reference").blur());
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.getByRole("main")).toHaveFocus();
});

test("a toast dismissed by a held Enter does not send the form that gets the focus back", async () => {
  const onSubmit = vi.fn((event: FormEvent) => event.preventDefault());
  const { user } = renderFeature(
    <>
      <form onSubmit={onSubmit}>
        <input aria-label="Reference" />
      </form>
      <Toasts />
    </>,
  );
  act(() => showToast({ title: "Deposit approved" }));
  await user.click(screen.getByLabelText("Reference"));
  await user.tab();
  await user.keyboard("{Enter>3}");
  expect(onSubmit).not.toHaveBeenCalled();
  await user.keyboard("{/Enter}");
  expect(screen.queryByText("Deposit approved")).not.toBeInTheDocument();
  expect(screen.getByLabelText("Reference")).toHaveFocus();
  expect(onSubmit).not.toHaveBeenCalled();
});

test("an Enter pressed elsewhere and let go on a toast does not dismiss it", () => {
  renderFeature(<Toasts />);
  act(() => showToast({ title: "Deposit approved" }));
  fireEvent.keyUp(screen.getByRole("button", { name: "Dismiss" }), { key: "Enter" });
  expect(screen.getByText("Deposit approved")).toBeVisible();
});

describe("a toast that has the focus", () => {
  const three = async () => {
    const { user } = renderFeature(<Toasts />);
    act(() => ["First", "Second", "Third"].forEach((title) => showToast({ title })));
    await user.tab();
    return user;
  };

  test("is not pushed out by a newer one", async () => {
    await three();
    act(() => showToast({ title: "Fourth" }));
    expect(screen.getByText("First")).toBeVisible();
    expect(screen.queryByText("Second")).toBeNull();
    act(() => screen.getAllByRole("button", { name: "Dismiss" })[0]?.blur());
    act(() => showToast({ title: "Fifth" }));
    expect(screen.queryByText("First")).toBeNull();
  });

  test("stays when the pointer leaves it", async () => {
    const user = await three();
    await user.hover(screen.getByText("First"));
    await user.unhover(screen.getByText("First"));
    act(() => showToast({ title: "Fourth" }));
    expect(screen.getByText("First")).toBeVisible();
  });
});
