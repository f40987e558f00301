import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { OutboxList, type OutboxListProps } from "../../../src/features/adminOutbox/OutboxList";
import { idOf } from "../../support/ids";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

type Mail = NonNullable<OutboxListProps["mails"]>[number];

const mail = (subject: string, changes: Partial<Mail> = {}): Mail => ({
  _id: idOf(`id of ${subject}`),
  to: "ada@mail.example",
  subject,
  body: "Text",
  status: "failed",
  attempts: 12,
  createdAt: 0,
  sentAt: undefined,
  lastError: "The provider answered 503",
  isToFormerAddress: false,
  ...changes,
});

const list = (props: Partial<OutboxListProps> = {}) => (
  <OutboxList
    mails={[mail("Hello")]}
    isStale={false}
    filter="all"
    onFilterChange={() => undefined}
    status="Exhausted"
    onLoadMore={() => undefined}
    onSendAgain={async () => true}
    isBusy={false}
    failure={null}
    clearFailure={() => undefined}
    done={null}
    {...props}
  />
);

test("a mail's text is behind its row, which is marked as one that opens", async () => {
  const { user } = renderFeature(list());
  expect(screen.getByText("Text")).not.toBeVisible();
  const subject = screen.getByText("Hello");
  expect(subject.closest("summary")?.querySelector("svg")).toBeInTheDocument();
  await user.click(subject);
  expect(screen.getByText("Text")).toBeVisible();
});

test("one that failed is sent again, once whoever asks knows to whom", async () => {
  const onSendAgain = vi.fn<OutboxListProps["onSendAgain"]>(async () => true);
  const { user, rerender } = renderFeature(list({ onSendAgain }));
  await user.click(screen.getByText("Hello"));
  expect(screen.getByText(/^Given up after 12 attempts\. Last answer: .* 503$/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send again" }));
  const dialog = await screen.findByRole("alertdialog", { name: "Send this email again?" });
  expect(dialog).toHaveAccessibleDescription("It goes to ada@mail.example, as it was written.");
  // It leaves the list while it is asked about.
  rerender(list({ onSendAgain, mails: [] }));
  await expectNoAxeViolations();
  await user.click(within(dialog).getByRole("button", { name: "Send again" }));
  expect(onSendAgain.mock.calls).toEqual([["id of Hello"]]);
});

test("an address that is no longer the person's is said to be one", async () => {
  const { user } = renderFeature(list({ mails: [mail("Hello", { isToFormerAddress: true })] }));
  await user.click(screen.getByText("Hello"));
  await user.click(screen.getByRole("button", { name: "Send again" }));
  expect(await screen.findByRole("alertdialog")).toHaveAccessibleDescription(
    "It goes to ada@mail.example, as it was written. This is no longer the person's address.",
  );
});

test("what waits or was sent is not sent again; failed ones can be listed alone", async () => {
  const onFilterChange = vi.fn();
  const mails = [mail("One", { status: "queued" }), mail("Two", { status: "sent", sentAt: 1 })];
  const { user, rerender } = renderFeature(list({ mails, onFilterChange }));
  for (const { subject } of mails) await user.click(screen.getByText(subject));
  expect(screen.queryByRole("button", { name: "Send again" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("tab", { name: "Failed" }));
  expect(onFilterChange).toHaveBeenCalledExactlyOnceWith("failed");
  rerender(list({ mails: [], filter: "failed" }));
  expect(screen.getByText("No email has failed")).toBeVisible();
  await expectNoAxeViolations();
});
