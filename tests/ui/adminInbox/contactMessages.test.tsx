import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { isEmail } from "../../../convex/shared/email";
import { MESSAGES } from "../../../convex/shared/errors";
import {
  ContactMessages,
  type ContactMessage,
} from "../../../src/features/adminInbox/ContactMessages";
import { useContactMessages } from "../../../src/features/adminInbox/useContactMessages";
import { fakeServer } from "../../support/convexReact";
import { idOf } from "../../support/ids";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const message = (reference: string): ContactMessage => ({
  _id: idOf(`id of ${reference}`),
  reference,
  name: "Ada Ode",
  email: "ada@demo.example",
  subject: "general",
  message: "Good morning",
  preferredContact: "email",
  createdAt: 0,
  isHandled: false,
});

function Inbox() {
  return <ContactMessages {...useContactMessages()} />;
}

test("the pressed button keeps the focus while its message is marked, the others stay usable", async () => {
  fakeServer.queries["admin/inbox:page"] = [message("M-1"), message("M-2")];
  const setHandled = vi.fn(() => new Promise(() => undefined));
  fakeServer.calls["admin/inbox:setHandled"] = setHandled;
  const { user } = renderFeature(<Inbox />);
  await expectNoAxeViolations();
  const pressed = screen.getByRole("button", { name: "Mark as handled, message M-1" });
  await user.click(pressed);
  expect(pressed).toHaveAttribute("aria-busy", "true");
  expect(pressed).toBeEnabled();
  expect(pressed).toHaveFocus();
  await user.click(pressed);
  expect(setHandled.mock.calls).toEqual([[{ messageId: "id of M-1", isHandled: true }]]);
  const other = screen.getByRole("button", { name: "Mark as handled, message M-2" });
  expect(other).toBeEnabled();
  expect(other).not.toHaveAttribute("aria-busy");
});

test("a refusal stands with its message, also when another one was marked meanwhile", async () => {
  fakeServer.queries["admin/inbox:page"] = [message("M-1"), message("M-2")];
  let refuse = (_error: unknown): void => undefined;
  fakeServer.calls["admin/inbox:setHandled"] = vi
    .fn(() => Promise.resolve(null))
    .mockImplementationOnce(() => new Promise((_resolve, reject) => (refuse = reject)));
  const { user } = renderFeature(<Inbox />);
  for (const name of ["M-1", "M-2"]) {
    await user.click(screen.getByRole("button", { name: `Mark as handled, message ${name}` }));
  }
  refuse(new Error("the server is away"));
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent(MESSAGES.SAVE_FAILED);
  expect(screen.getAllByRole("listitem").map((item) => item.contains(alert))).toEqual([
    true,
    false,
  ]);
});

test("a reply goes to the visitor's address alone, whatever is part of it", () => {
  const email = "ada?bcc=eve%40evil.example&body=@demo.example";
  expect(isEmail(email)).toBe(true);
  fakeServer.queries["admin/inbox:page"] = [{ ...message("M-1"), email }];
  renderFeature(<Inbox />);
  const { search, pathname } = new URL(screen.getByRole<HTMLAnchorElement>("link").href);
  expect([decodeURIComponent(pathname), search]).toEqual([email, ""]);
});

test("whoever wants a call and gave no number is seen to have given none", () => {
  fakeServer.queries["admin/inbox:page"] = [
    { ...message("M-1"), preferredContact: "phone" },
    { ...message("M-2"), preferredContact: "phone", phone: "555" },
  ];
  renderFeature(<Inbox />);
  const [without, withNumber] = screen.getAllByRole("listitem");
  expect(without).toHaveTextContent("Prefers phone, but gave no number. ada@demo.example");
  expect(withNumber).toHaveTextContent("Prefers phone. ada@demo.example, 555");
});

test("the open ones can be listed alone, and a reference is looked for among all", async () => {
  fakeServer.queries["admin/inbox:page"] = [];
  const { user } = renderFeature(<Inbox />);
  expect(screen.getByText("No messages yet")).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "Open" }));
  expect(await screen.findByText("No messages are open")).toBeVisible();
  await user.type(screen.getByRole("searchbox"), "C-7K");
  expect(await screen.findByText('No message with the number "C-7K"')).toBeVisible();
  await expectNoAxeViolations();
  await user.click(screen.getByRole("button", { name: "Clear search" }));
  expect(screen.getByRole("search")).toHaveFocus();
  expect(await screen.findByText("No messages are open")).toBeVisible();
});
