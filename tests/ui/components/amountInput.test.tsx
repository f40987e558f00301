import { screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, test, vi } from "vitest";
import { AmountInput } from "../../../src/components/ui/AmountInput";
import { renderFeature } from "../../support/renderFeature";

function AmountForm() {
  const [amount, setAmount] = useState("");
  return <AmountInput label="Amount" value={amount} onValueChange={setAmount} />;
}

describe("an amount typed key by key", () => {
  test.each([
    ["7", "7.00"],
    [".5", "0.50"],
    ["007", "7.00"],
    ["$1,234.5", "1234.50"],
    ["1,50", "1,50"],
    ["1.234,50", "1.234,50"],
    ["12.345", "12.345"],
    ["-5", "-5"],
    ["1e3", "1e3"],
    ["1.2.3", "1.2.3"],
  ])("%s is %s when the field is left", async (typed, left) => {
    const { user } = renderFeature(<AmountForm />);
    await user.type(screen.getByLabelText("Amount"), typed);
    expect(screen.getByLabelText("Amount")).toHaveValue(typed);
    await user.tab();
    expect(screen.getByLabelText("Amount")).toHaveValue(left);
  });
});

test("leaving the field is no edit: whoever listens hears of keys only", async () => {
  const onValueChange = vi.fn();
  const { user } = renderFeature(
    <AmountInput label="Amount" value="5" onValueChange={onValueChange} />,
  );
  await user.click(screen.getByLabelText("Amount"));
  await user.tab();
  expect(screen.getByLabelText("Amount")).toHaveValue("5.00");
  expect(onValueChange).not.toHaveBeenCalled();
});
