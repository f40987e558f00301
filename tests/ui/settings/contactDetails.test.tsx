import { screen, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { appError, MESSAGES } from "../../../convex/shared/errors";
import { ContactDetailsForm } from "../../../src/features/settings/ContactDetailsForm";
import { ProfileSettings } from "../../../src/features/settings/ProfileSettings";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";
import { renderWithBackend } from "../../support/renderWithBackend";

const DETAILS = {
  phone: "(555) 010-0100",
  address: { street: "1 Elm St", city: "Dover", state: "DE", postalCode: "19901" },
};

describe("contact details", () => {
  function props() {
    return {
      details: DETAILS,
      isBusy: false,
      message: undefined,
      disabledReason: undefined,
      onEdit: vi.fn(),
      onSubmit: vi.fn(async () => true),
    };
  }

  test("sends what was changed", async () => {
    const given = props();
    const { user } = renderFeature(<ContactDetailsForm {...given} />);
    await user.clear(screen.getByLabelText("City"));
    await user.type(screen.getByLabelText("City"), "Lewes");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(given.onSubmit).toHaveBeenCalledExactlyOnceWith({
      ...DETAILS,
      address: { ...DETAILS.address, city: "Lewes" },
    });
  });

  test("an emergency contact is given whole or not at all, and stays one", async () => {
    const given = props();
    const { user, rerender } = renderFeature(<ContactDetailsForm {...given} />);
    await user.type(screen.getByLabelText("Contact Name"), "Ben");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(given.onSubmit).not.toHaveBeenCalled();
    expect(screen.getByLabelText("Relationship")).toHaveAccessibleDescription(
      "Relationship is required",
    );
    await user.type(screen.getByLabelText("Relationship"), "Brother");
    await user.type(screen.getByLabelText("Contact Phone"), "555");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    const emergencyContact = { name: "Ben", relationship: "Brother", phone: "555" };
    expect(given.onSubmit).toHaveBeenCalledExactlyOnceWith({ ...DETAILS, emergencyContact });
    rerender(<ContactDetailsForm {...given} details={{ ...DETAILS, emergencyContact }} />);
    for (const label of ["Contact Name", "Relationship", "Contact Phone"]) {
      await user.clear(screen.getByLabelText(label));
    }
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(screen.getByLabelText("Contact Name")).toBeInvalid();
    expect(given.onSubmit).toHaveBeenCalledOnce();
    await expectNoAxeViolations();
  });

  test("what another window saved is shown, sent back unchanged, and takes nothing that was typed", async () => {
    const given = props();
    const { user, rerender } = renderFeature(<ContactDetailsForm {...given} />);
    await user.clear(screen.getByLabelText("Street Address"));
    await user.type(screen.getByLabelText("Street Address"), "2 Oak St");
    const elsewhere = { ...DETAILS, address: { ...DETAILS.address, city: "Lewes" } };
    rerender(<ContactDetailsForm {...given} details={elsewhere} />);
    expect(screen.getByLabelText("City")).toHaveValue("Lewes");
    expect(screen.getByLabelText("Street Address")).toHaveValue("2 Oak St");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(given.onSubmit).toHaveBeenCalledExactlyOnceWith({
      ...DETAILS,
      address: { ...DETAILS.address, street: "2 Oak St", city: "Lewes" },
    });
  });

  test("what was typed outlives the page until it is saved", async () => {
    const given = props();
    const first = renderFeature(<ContactDetailsForm {...given} />);
    await first.user.clear(screen.getByLabelText("Phone Number"));
    await first.user.type(screen.getByLabelText("Phone Number"), "(555) 010-0199");
    first.unmount();
    const second = renderFeature(<ContactDetailsForm {...given} />);
    expect(screen.getByLabelText("Phone Number")).toHaveValue("(555) 010-0199");
    await second.user.click(screen.getByRole("button", { name: "Save changes" }));
    second.unmount();
    renderFeature(<ContactDetailsForm {...given} />);
    expect(screen.getByLabelText("Phone Number")).toHaveValue(DETAILS.phone);
  });

  test("a country is asked for only where the record has a place for it", () => {
    const given = props();
    const { rerender } = renderFeature(<ContactDetailsForm {...given} />);
    expect(screen.queryByLabelText("Country")).toBeNull();
    const address = { ...DETAILS.address, country: "" };
    rerender(<ContactDetailsForm {...given} details={{ ...DETAILS, address }} />);
    expect(screen.getByLabelText("Country")).toBeVisible();
  });

  test("a long text is not cut: it is refused at its field", async () => {
    const given = props();
    const { user } = renderFeature(<ContactDetailsForm {...given} />);
    const long = "Upper ".repeat(50).trim();
    await user.clear(screen.getByLabelText("City"));
    await user.click(screen.getByLabelText("City"));
    await user.paste(long);
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(screen.getByLabelText("City")).toHaveValue(long);
    expect(screen.getByLabelText("City")).toBeInvalid();
    expect(screen.getByRole("alert")).toHaveTextContent(
      "City: Please remove unusual characters or shorten the text",
    );
    expect(given.onSubmit).not.toHaveBeenCalled();
  });

  test("that they were saved is not said beside a later refusal", async () => {
    const save = vi.fn<() => Promise<unknown>>().mockResolvedValueOnce(null);
    save.mockRejectedValueOnce(appError("RATE_LIMITED"));
    const { user } = renderWithBackend(<ProfileSettings />, {
      queries: { "profile:get": { ...DETAILS, name: "Ada", email: "a@b.example", memberSince: 0 } },
      mutations: { "profile:updateContact": save },
    });
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(await screen.findByText("Contact details saved.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(MESSAGES.RATE_LIMITED);
    expect(screen.queryByText("Contact details saved.")).toBeNull();
  });

  test("lists every problem and moves the focus to the list", async () => {
    const given = props();
    const { user } = renderFeature(<ContactDetailsForm {...given} />);
    await user.clear(screen.getByLabelText("Phone Number"));
    await user.clear(screen.getByLabelText("City"));
    await user.type(screen.getByLabelText("Alternative Email"), "nonsense");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    const summary = screen.getByRole("alert");
    expect(summary).toHaveTextContent("Please fill in all required fields");
    expect(
      within(summary)
        .getAllByRole("link")
        .map((link) => link.textContent),
    ).toEqual([
      "Phone Number is required",
      "City is required",
      "Please enter a valid email address",
    ]);
    expect(summary.parentElement).toHaveFocus();
    expect(given.onSubmit).not.toHaveBeenCalled();
    await expectNoAxeViolations();
    await user.type(screen.getByLabelText("City"), "Lewes");
    expect(screen.getByLabelText("City")).toBeValid();
    expect(screen.queryByText("City is required")).toBeNull();
    expect(screen.getByLabelText("Phone Number")).toBeInvalid();
  });
});
