/** Correcting an application: what is sent, what is missing, and a change made elsewhere meanwhile. */
import { screen, within } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { applicationIn } from "../../../convex/shared/rules/correction";
import { CorrectionDialog } from "../../../src/features/adminUsers/CorrectionDialog";
import type { UserDetailData } from "../../../src/features/adminUsers/userDetailData";
import { useCorrection } from "../../../src/features/adminUsers/useCorrection";
import { fakeServer } from "../../support/convexReact";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const LENA = {
  _id: "lena",
  personalInfo: {
    firstName: "Lena",
    lastName: "Fischer",
    dateOfBirth: "1990-03-02",
    nationality: "Germany",
    maritalStatus: "Single" as const,
    address: {
      street: "1 Elm Street",
      city: "Troy",
      state: "NY",
      country: "US",
      postalCode: "12180",
    },
  },
  contactDetails: { phoneNumber: "(555) 010-0130" },
  documents: {
    idCardType: "Passport" as const,
    idCardNumber: "C01X00T47",
    verificationStatus: "pending" as const,
  },
};
const moved = (city: string): typeof LENA => ({
  ...LENA,
  personalInfo: { ...LENA.personalInfo, address: { ...LENA.personalInfo.address, city } },
});

function Harness({ person = LENA }: { person?: typeof LENA }) {
  const [isOpen, setIsOpen] = useState(false);
  const correction = useCorrection(person as unknown as UserDetailData);
  const { done, current, ...props } = correction;
  return (
    <>
      <button onClick={() => setIsOpen(true)}>Open</button>
      <p>{done}</p>
      {current !== null && (
        <CorrectionDialog
          {...props}
          current={current}
          isOpen={isOpen}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

const correct = vi.fn(async () => null);

beforeEach(() => {
  correct.mockReset();
  fakeServer.calls = { "admin/registrations:correct": correct };
});

const field = (label: string) => screen.getByLabelText(label);

async function open() {
  const rendered = renderFeature(<Harness />);
  const { user } = rendered;
  await user.click(screen.getByRole("button", { name: "Open" }));
  const dialog = await screen.findByRole("dialog", { name: "Correct application" });
  const press = (name: string) => user.click(within(dialog).getByRole("button", { name }));
  const type = async (label: string, text: string) => {
    await user.clear(field(label));
    if (text !== "") {
      await user.click(field(label));
      await user.paste(text);
    }
  };
  return { ...rendered, press, type };
}

test("it starts with what is current, says what is missing, and sends what was corrected", async () => {
  const { user, press, type } = await open();
  expect(field("Date of birth")).toHaveValue("1990-03-02");
  expect(field("ID type")).toHaveValue("Passport");
  await press("Save corrections");
  expect(screen.getByRole("alert")).toHaveTextContent(MESSAGES.NOTHING_CHANGED);
  expect(field("Reason")).toHaveAccessibleDescription(new RegExp(MESSAGES.REASON_REQUIRED));
  await type("City", "");
  await type("Contact name", "Jo Fischer");
  await press("Save corrections");
  expect(field("City")).toHaveAccessibleDescription("City is required");
  expect(field("City")).toHaveFocus();
  // What was never given is missed only beside what is.
  expect(field("Contact phone")).toHaveAccessibleDescription("Contact phone is required");
  expect(correct).not.toHaveBeenCalled();
  await expectNoAxeViolations();
  await type("City", "Salem");
  await type("Contact name", "");
  await user.selectOptions(field("ID type"), "National ID");
  await type("Reason", " Seen on the card ");
  await press("Save corrections");
  const expected = applicationIn(LENA);
  expect(correct).toHaveBeenCalledWith({
    userId: "lena",
    expected,
    application: { ...expected, city: "Salem", idCardType: "National ID" },
    reason: "Seen on the card",
  });
  expect(await screen.findByText("The application was corrected.")).toBeVisible();
});

test("the first refused field of the form is shown with its sentence, and a refusal of all of it too", async () => {
  // A set: StrictMode attaches an alert twice.
  const shown = new Set<string>();
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
    const described = this.getAttribute("aria-describedby") ?? "";
    shown.add(document.getElementById(described)?.textContent ?? this.textContent);
  });
  const { press, type } = await open();
  await type("Reason", "Seen on the card");
  await press("Save corrections");
  expect([...shown]).toEqual([MESSAGES.NOTHING_CHANGED]);
  // The rules look for missing texts first.
  await type("ID number", "");
  expect(screen.queryByRole("alert")).toBeNull();
  await type("Date of birth", "2999-01-01");
  await press("Save corrections");
  expect(field("Date of birth")).toHaveFocus();
  expect([...shown].slice(1)).toEqual([MESSAGES.INVALID_DATE_OF_BIRTH]);
  correct.mockRejectedValueOnce(new Error("bug"));
  await type("ID number", "N-1");
  await type("Date of birth", "1990-03-03");
  await press("Save corrections");
  expect(await screen.findByText(MESSAGES.SAVE_FAILED)).toBeVisible();
  expect([...shown].slice(2)).toEqual([MESSAGES.SAVE_FAILED]);
  await type("Nationality", "Austria");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(field("Reason")).toHaveValue("Seen on the card");
  await type("Reason", " ");
  await press("Save corrections");
  expect(field("Reason")).toHaveAttribute("aria-invalid", "true");
});

test("a change made elsewhere shows where nothing is typed yet, and stops what is", async () => {
  const { rerender, type } = await open();
  rerender(<Harness person={moved("Albany")} />);
  expect(field("City")).toHaveValue("Albany");
  await type("Nationality", "Austria");
  rerender(<Harness person={moved("Utica")} />);
  expect(screen.getByRole("alert")).toHaveTextContent("Someone has changed the application");
  expect(screen.getByRole("button", { name: "Save corrections" })).toBeDisabled();
});

test("what is typed outlives Escape, and leaves with Cancel", async () => {
  const { user, type } = await open();
  await type("Nationality", "Austria");
  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Open" }));
  expect(await screen.findByLabelText("Nationality")).toHaveValue("Austria");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Open" }));
  expect(await screen.findByLabelText("Nationality")).toHaveValue("Germany");
});
