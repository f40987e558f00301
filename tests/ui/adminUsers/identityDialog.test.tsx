/** Changing a person's name or e-mail: what is sent, what stays typed, and a change made elsewhere meanwhile. */
import { screen, waitFor, within } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { TEXTS } from "../../../convex/shared/texts";
import { IdentityDialog } from "../../../src/features/adminUsers/IdentityDialog";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";
import { useIdentity } from "../../../src/features/adminUsers/useIdentity";
import { fakeServer } from "../../support/convexReact";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const MAYA = { _id: "maya", name: "Maya Torres", email: "maya@demo.example" };

function Harness({ person = MAYA }: { person?: typeof MAYA }) {
  const [isOpen, setIsOpen] = useState(false);
  const { done, ...identity } = useIdentity(person as unknown as UserDetailData);
  return (
    <>
      <button onClick={() => setIsOpen(true)}>Open</button>
      <p>{done}</p>
      <IdentityDialog {...identity} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

const set = vi.fn(async () => null);

beforeEach(() => {
  set.mockReset();
  fakeServer.calls = { "admin/identity:set": set };
});

const field = (label: string) => screen.getByLabelText(label);

async function open(person = MAYA) {
  const rendered = renderFeature(<Harness person={person} />);
  const { user } = rendered;
  await user.click(screen.getByRole("button", { name: "Open" }));
  const dialog = await screen.findByRole("dialog", { name: "Change name or email" });
  const press = (name: string) =>
    user.click(within(screen.getByRole("dialog")).getByRole("button", { name }));
  const type = async (label: string, text: string) => {
    await user.clear(field(label));
    if (text !== "") await user.type(field(label), text);
  };
  return { ...rendered, dialog, press, type };
}

test("it starts with what is current, says what is missing, and sends what is typed", async () => {
  const { press, type } = await open();
  expect(field("Full Name")).toHaveValue(MAYA.name);
  await press("Save changes");
  expect(screen.getByRole("alert")).toHaveTextContent(MESSAGES.NOTHING_CHANGED);
  expect(field("Reason")).toHaveAccessibleDescription(new RegExp(MESSAGES.REASON_REQUIRED));
  await type("Full Name", "");
  expect(screen.queryByRole("alert")).toBeNull();
  await type("Email", "x");
  await press("Save changes");
  expect(field("Full Name")).toHaveAccessibleDescription("Full Name is required");
  expect(field("Email")).toHaveAccessibleDescription(MESSAGES.INVALID_EMAIL);
  expect(field("Full Name")).toHaveFocus();
  await expectNoAxeViolations();
  expect(set).not.toHaveBeenCalled();
  await type("Full Name", " Maya Abel ");
  await type("Email", "Maya@Mail.example");
  await type("Reason", "Married");
  await press("Save changes");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(set.mock.calls).toEqual([
    [
      {
        userId: "maya",
        name: "Maya Abel",
        email: "maya@mail.example",
        expected: { name: MAYA.name, email: MAYA.email },
        reason: "Married",
      },
    ],
  ]);
  expect(screen.getByText("The changes were saved.")).toBeVisible();
});

test("a refusal leaves what is typed, until Cancel; a second administrator is asked where one is needed", async () => {
  const request = vi.fn(async () => ({ approvalId: "one" }));
  fakeServer.calls = { "admin/identity:set": set, "admin/approvals:request": request };
  set.mockRejectedValueOnce(
    new ConvexError({ code: "EMAIL_TAKEN", message: MESSAGES.EMAIL_TAKEN }),
  );
  const { press, type, user } = await open();
  await type("Email", "omar@demo.example");
  await type("Reason", "Asked");
  await press("Save changes");
  expect(await screen.findByText(MESSAGES.EMAIL_TAKEN)).toBeVisible();
  await type("Email", "maya@mail.example");
  expect(screen.queryByText(MESSAGES.EMAIL_TAKEN)).toBeNull();
  set.mockRejectedValueOnce(
    new ConvexError({
      code: "SECOND_ADMIN_FOR_IDENTITY",
      message: MESSAGES.SECOND_ADMIN_FOR_IDENTITY,
    }),
  );
  await press("Save changes");
  expect(await screen.findByText(TEXTS.approvalRequested)).toBeVisible();
  expect(request.mock.calls).toMatchObject([
    [{ change: { kind: "identity.set", args: { email: "maya@mail.example" } } }],
  ]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Open" }));
  await screen.findByRole("dialog");
  expect(field("Email")).toHaveValue(MAYA.email);
});

test("a change made elsewhere shows where nothing is typed yet, and stops what is", async () => {
  const { rerender, press, type, dialog, user } = await open();
  rerender(<Harness person={{ ...MAYA, name: "Maya Abel" }} />);
  expect(field("Full Name")).toHaveValue("Maya Abel");
  await type("Email", "maya@mail.example");
  rerender(<Harness person={{ ...MAYA, name: "Maya Cole" }} />);
  expect(within(dialog).getByRole("alert")).toHaveTextContent(/in the meantime/);
  expect(field("Full Name")).toHaveValue("Maya Abel");
  expect(within(dialog).getByRole("button", { name: "Save changes" })).toBeDisabled();
  await press("Cancel");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Open" }));
  await screen.findByRole("dialog");
  expect(field("Full Name")).toHaveValue("Maya Cole");
});

test("one's own change, which arrives before the answer, is not taken for somebody else's", async () => {
  let answer: (done: null) => void = () => undefined;
  set.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  const { rerender, press, type, dialog } = await open();
  await type("Full Name", "Maya Abel");
  await type("Reason", "Married");
  await press("Save changes");
  rerender(<Harness person={{ ...MAYA, name: "Maya Abel" }} />);
  expect(within(dialog).queryByRole("alert")).toBeNull();
  answer(null);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("what was refused is typed again after Escape, without the sentences about it", async () => {
  const { user, press, type } = await open();
  const openAgain = async () => {
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(screen.getByRole("button", { name: "Open" }));
    await screen.findByRole("dialog");
  };
  await type("Email", "x");
  await press("Save changes");
  expect(field("Email")).toHaveAttribute("aria-invalid", "true");
  await type("Reason", " ");
  await press("Save changes");
  expect(field("Reason")).toHaveAttribute("aria-invalid", "true");
  await openAgain();
  expect(field("Email")).toHaveValue("x");
  expect(field("Email")).not.toHaveAttribute("aria-invalid");
  await type("Email", "omar@demo.example");
  await type("Reason", "Asked");
  set.mockRejectedValueOnce(
    new ConvexError({ code: "EMAIL_TAKEN", message: MESSAGES.EMAIL_TAKEN }),
  );
  await press("Save changes");
  expect(await screen.findByText(MESSAGES.EMAIL_TAKEN)).toBeVisible();
  await openAgain();
  expect(screen.queryByText(MESSAGES.EMAIL_TAKEN)).toBeNull();
});
