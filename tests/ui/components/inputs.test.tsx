import { fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, test, vi } from "vitest";
import { Checkbox } from "../../../src/components/ui/Checkbox";
import { Combobox } from "../../../src/components/ui/Combobox";
import { FileDrop } from "../../../src/components/ui/FileDrop";
import { AmountInput } from "../../../src/components/ui/AmountInput";
import { OtpInput } from "../../../src/components/ui/OtpInput";
import { PasswordInput } from "../../../src/components/ui/PasswordInput";
import { RadioCards } from "../../../src/components/ui/RadioCards";
import { Select } from "../../../src/components/ui/Select";
import { TextInput } from "../../../src/components/ui/TextInput";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

function Otp() {
  const [code, setCode] = useState("");
  return <OtpInput label="Verification code" value={code} onValueChange={setCode} />;
}

describe("OtpInput", () => {
  test("keeps six digits of what is typed and drops letters", async () => {
    const { user } = renderFeature(<Otp />);
    await user.type(screen.getByLabelText("Verification code"), "1a2b3c4567");
    expect(screen.getByLabelText("Verification code")).toHaveValue("123456");
  });

  test("takes a pasted code with a space in it, in place of what is there", async () => {
    const { user } = renderFeature(<Otp />);
    await user.type(screen.getByLabelText("Verification code"), "99");
    await user.paste("123 456");
    expect(screen.getByLabelText("Verification code")).toHaveValue("123456");
  });

  test("keeps six digits of a longer text that is pasted", async () => {
    const { user } = renderFeature(<Otp />);
    await user.click(screen.getByLabelText("Verification code"));
    await user.paste("code 1234567");
    expect(screen.getByLabelText("Verification code")).toHaveValue("123456");
  });

  test("counts digits only when a text arrives in one piece without being pasted", () => {
    renderFeature(<Otp />);
    // Dropped or dictated: the browser cuts it to `maxLength` before the field sees it.
    const field = screen.getByLabelText<HTMLInputElement>("Verification code");
    const text = "123-456";
    fireEvent.change(field, {
      target: { value: field.maxLength < 0 ? text : text.slice(0, field.maxLength) },
    });
    expect(field).toHaveValue("123456");
  });

  test("ignores a seventh digit, wherever it is typed", async () => {
    const { user } = renderFeature(<Otp />);
    const field = screen.getByLabelText("Verification code");
    await user.type(field, "123456");
    await user.type(field, "9", { initialSelectionStart: 2, initialSelectionEnd: 2 });
    expect(field).toHaveValue("123456");
  });

  test("is one text field to assistive technology", () => {
    renderFeature(<Otp />);
    expect(screen.getAllByRole("textbox")).toHaveLength(1);
    expect(screen.getByRole("textbox")).toHaveAttribute("autocomplete", "one-time-code");
  });
});

describe("Field", () => {
  test("describes the control by hint, error and a further sentence, in this order", () => {
    renderFeature(
      <>
        <TextInput label="Routing Number" hint="9 digits" error="Wrong" describedBy="more" />
        <p id="more">More</p>
      </>,
    );
    const field = screen.getByLabelText("Routing Number");
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription("9 digits Wrong More");
  });

  test("says optional beside the label, not in the control's name", () => {
    renderFeature(<TextInput label="IBAN" isOptional />);
    expect(screen.getByText("(optional)")).toBeVisible();
    expect(screen.getByRole("textbox")).toHaveAccessibleName("IBAN");
  });
});

describe("PasswordInput", () => {
  test("shows and hides its characters", async () => {
    const { user } = renderFeature(<PasswordInput label="Password" autoComplete="off" />);
    expect(screen.getByLabelText("Password")).toHaveAttribute("type", "password");
    const toggle = screen.getByRole("button", { name: "Show characters" });
    await user.click(toggle);
    expect(toggle).toHaveAttribute("aria-pressed", "true");
    expect(screen.getByLabelText("Password")).toHaveAttribute("type", "text");
  });
});

describe("Combobox", () => {
  const options = [
    { value: "DE", label: "Germany", aliases: ["Deutschland"] },
    { value: "US", label: "United States", aliases: ["USA", "America"] },
  ];

  test("finds an option by another of its names", async () => {
    const onValueChange = vi.fn();
    const { user } = renderFeature(
      <Combobox
        label="Country"
        options={options}
        value=""
        onValueChange={onValueChange}
        emptyText="No countries found."
      />,
    );
    await user.type(await screen.findByRole("combobox", { name: "Country" }), "usa");
    await user.click(await screen.findByRole("option", { name: "United States" }));
    expect(onValueChange).toHaveBeenLastCalledWith("US");
  });

  test("says so when nothing matches", async () => {
    const { user } = renderFeature(
      <Combobox
        label="Country"
        options={options}
        value=""
        onValueChange={() => undefined}
        emptyText="No countries found."
      />,
    );
    await user.type(await screen.findByRole("combobox", { name: "Country" }), "zzz");
    expect(await screen.findByText("No countries found.")).toBeVisible();
  });

  test("takes a name typed in full without a choice from the list", async () => {
    const onValueChange = vi.fn();
    const { user } = renderFeature(
      <Combobox
        label="Country"
        options={options}
        value=""
        onValueChange={onValueChange}
        emptyText="No countries found."
      />,
    );
    await user.type(await screen.findByRole("combobox", { name: "Country" }), "germany");
    await user.tab();
    await waitFor(() => expect(onValueChange).toHaveBeenCalledExactlyOnceWith("DE"));
  });

  const NEIGHBORS = [
    { value: "NE", label: "Niger" },
    { value: "NG", label: "Nigeria" },
  ];

  function Country() {
    const [country, setCountry] = useState("");
    return (
      <>
        <Combobox
          label="Country"
          options={NEIGHBORS}
          value={country}
          onValueChange={setCountry}
          emptyText="No countries found."
        />
        <output aria-label="Chosen">{country}</output>
        <TextInput label="City" />
      </>
    );
  }

  test.each([
    ["Nigeri{Tab}", "", ""],
    ["niger{Tab}", "NE", "Niger"],
    ["niger{Escape}{Tab}", "NE", "Niger"],
    ["niger{Enter}{Escape}{Escape}", "NE", "Niger"],
    ["nigeria{Backspace}{Enter}", "NG", "Nigeria"],
  ])("%s chooses '%s' and nothing on the way", async (keys, code, shown) => {
    const { user } = renderFeature(<Country />);
    const field = await screen.findByRole("combobox", { name: "Country" });
    await user.type(field, keys);
    await waitFor(() => expect(field).toHaveValue(shown));
    expect(screen.getByRole("status", { name: "Chosen" })).toHaveTextContent(
      code === "" ? /^$/ : code,
    );
  });

  test("takes a name typed in full when another field is pressed", async () => {
    const { user } = renderFeature(<Country />);
    await user.type(await screen.findByRole("combobox", { name: "Country" }), "niger");
    await user.click(screen.getByLabelText("City"));
    await waitFor(() =>
      expect(screen.getByRole("status", { name: "Chosen" })).toHaveTextContent("NE"),
    );
    expect(screen.getByLabelText("Country")).toHaveValue("Niger");
  });

  test("takes an option that is pressed, not the name that was typed before", async () => {
    const onValueChange = vi.fn();
    const { user } = renderFeature(
      <Combobox
        label="Country"
        options={NEIGHBORS}
        value=""
        onValueChange={onValueChange}
        emptyText="No countries found."
      />,
    );
    await user.type(await screen.findByRole("combobox", { name: "Country" }), "niger");
    await user.click(await screen.findByRole("option", { name: "Nigeria" }));
    expect(onValueChange).toHaveBeenCalledExactlyOnceWith("NG");
  });

  test("takes what the browser fills in at once", async () => {
    renderFeature(<Country />);
    const field = await screen.findByRole("combobox", { name: "Country" });
    fireEvent.input(field, { target: { value: "Nigeria" } });
    expect(screen.getByRole("status", { name: "Chosen" })).toHaveTextContent("NG");
  });
});

test("every control passes axe, valid and invalid", async () => {
  const { container } = renderFeature(
    <main>
      <TextInput label="Name" hint="As on your card" />
      <TextInput label="City" error="City is required" />
      <Select label="Account" options={[{ value: "a", label: "A" }]} defaultValue="a" />
      <PasswordInput label="Password" autoComplete="new-password" />
      <Otp />
      <AmountInput label="Amount" value="" onValueChange={() => undefined} />
      <Checkbox label="Update account balance" hint="Posts to the ledger" />
      <RadioCards
        legend="Provider"
        name="provider"
        options={[{ value: "water", label: "Water" }]}
        value="water"
        onValueChange={() => undefined}
        isInvalid
      />
      <FileDrop label="Front of check" file={null} onFileChange={() => undefined} />
    </main>,
  );
  await expectNoAxeViolations(container);
});
