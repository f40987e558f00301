import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { MobileDepositForm } from "../../../src/features/mobileDeposit/MobileDepositForm";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const image = (name: string) => new File(["pixels"], name, { type: "image/png" });

function props() {
  return {
    accounts: [{ type: "Checking", availableCents: 0n, balanceCents: 0n }] as const,
    isBusy: false,
    shares: {},
    message: undefined,
    disabledReason: undefined,
    onEdit: vi.fn(),
    onSubmit: vi.fn(async () => true),
  };
}

const deposit = () => screen.getByRole("button", { name: "Deposit Check" });

beforeEach(() => {
  URL.createObjectURL = () => "blob:preview";
  URL.revokeObjectURL = () => undefined;
});

test("the button waits for the amount and both images, then sends them", async () => {
  const given = props();
  const outcome = <p>Submitted</p>;
  const { user } = renderFeature(<MobileDepositForm {...given} outcome={outcome} />);
  const [front, back] = [image("front.png"), image("back.png")];
  expect(deposit()).toBeDisabled();
  await user.upload(screen.getByLabelText("Front of check"), front);
  await user.type(screen.getByLabelText("Amount"), "120");
  expect(deposit()).toBeDisabled();
  await user.upload(screen.getByLabelText("Back of check"), back);
  expect(deposit()).toBeEnabled();
  await user.click(deposit());
  expect(given.onSubmit).toHaveBeenCalledExactlyOnceWith({
    toAccount: "Checking",
    amountCents: 12_000n,
    front,
    back,
  });
  expect(screen.getByLabelText("Amount")).toHaveValue("");
  expect(deposit()).toBeDisabled();
  // A disabled button cannot keep the focus.
  expect(screen.getByText("Submitted").parentElement).toHaveFocus();
});

test("a cent over the limit is refused where it can be read", async () => {
  const given = props();
  const { user } = renderFeature(<MobileDepositForm {...given} />);
  await user.upload(screen.getByLabelText("Front of check"), image("front.png"));
  await user.upload(screen.getByLabelText("Back of check"), image("back.png"));
  await user.type(screen.getByLabelText("Amount"), "10000.01");
  await user.click(deposit());
  expect(screen.getByRole("alert")).toHaveTextContent("limited to $10,000.00 per check");
  expect(screen.getByLabelText("Amount")).toBeInvalid();
  expect(screen.getByLabelText("Amount")).toHaveFocus();
  expect(given.onSubmit).not.toHaveBeenCalled();
  await expectNoAxeViolations();
});

test("only image files are taken", async () => {
  const { user } = renderFeature(<MobileDepositForm {...props()} />);
  const field = screen.getByLabelText("Front of check");
  expect(field).toHaveAttribute("accept", "image/*");
  expect(field).toHaveAttribute("capture", "environment");
  field.removeAttribute("accept");
  await user.upload(field, new File(["%PDF"], "check.pdf", { type: "application/pdf" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Please choose an image file");
  expect(screen.queryByText("check.pdf")).toBeNull();
});

test("the three notes are shown", () => {
  renderFeature(<MobileDepositForm {...props()} />);
  expect(screen.getByText(/For Mobile Deposit Only/)).toBeVisible();
  expect(screen.getByText(/signed and endorsed/)).toBeVisible();
  expect(screen.getByText(/clear and well lit/)).toBeVisible();
});
