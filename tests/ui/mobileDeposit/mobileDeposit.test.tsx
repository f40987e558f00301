import { act, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { MobileDepositForm } from "../../../src/features/mobileDeposit/MobileDepositForm";
import { forgetKept } from "../../../src/lib/kept";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";
import { PATIENCE } from "../../support/patience";

/** Just enough of a PNG to identify it: its signature and the beginning of its header. */
const PNG = Uint8Array.of(
  ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  ...[0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
  ...[0, 0, 0, 9, 0, 0, 0, 9],
);
const image = (name: string) => new File([PNG], name, { type: "image/png" });

function props() {
  return {
    accounts: [{ type: "Checking", availableCents: 0n, balanceCents: 0n }] as const,
    isBusy: false,
    shares: {},
    message: undefined,
    refusedSide: null,
    disabledReason: undefined,
    onEdit: vi.fn(),
    onSubmit: vi.fn(async () => true),
  };
}

const deposit = () => screen.getByRole("button", { name: "Deposit Check" });

beforeEach(() => {
  forgetKept();
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
  await vi.waitFor(() => expect(given.onSubmit).toHaveBeenCalledOnce(), PATIENCE);
  expect(given.onSubmit).toHaveBeenCalledWith({
    toAccount: "Checking",
    amountCents: 12_000n,
    front,
    back,
  });
  await vi.waitFor(() => expect(screen.getByLabelText("Amount")).toHaveValue(""), PATIENCE);
  expect(screen.queryByText(/\.png$/)).toBeNull();
  expect(deposit()).toBeDisabled();
  expect(screen.getByText("Submitted").parentElement).toHaveFocus();
});

test("sent from the keyboard, the focus goes to the button: the field is disabled while it is sent", async () => {
  const given = { ...props(), onSubmit: vi.fn(async () => false) };
  const { user } = renderFeature(<MobileDepositForm {...given} />);
  await user.upload(screen.getByLabelText("Front of check"), image("front.png"));
  await user.upload(screen.getByLabelText("Back of check"), image("back.png"));
  await user.type(screen.getByLabelText("Amount"), "120{Enter}");
  await vi.waitFor(() => expect(given.onSubmit).toHaveBeenCalledOnce(), PATIENCE);
  expect(deposit()).toHaveFocus();
});

test("what is edited while the pictures are looked at is neither sent in its old form nor lost", async () => {
  const given = props();
  const { user } = renderFeature(<MobileDepositForm {...given} />);
  const back = image("back.png");
  await user.upload(screen.getByLabelText("Front of check"), image("front.png"));
  await user.upload(screen.getByLabelText("Back of check"), back);
  await user.type(screen.getByLabelText("Amount"), "120");
  let goOn: () => void = () => undefined;
  const waits = new Promise<void>((resolve) => (goOn = resolve));
  vi.spyOn(back, "arrayBuffer").mockImplementation(() => waits.then(() => PNG.buffer));
  await user.click(deposit());
  await user.clear(screen.getByLabelText("Amount"));
  await user.type(screen.getByLabelText("Amount"), "125");
  goOn();
  await user.click(deposit());
  await vi.waitFor(() => expect(given.onSubmit).toHaveBeenCalledOnce(), PATIENCE);
  expect(given.onSubmit).toHaveBeenCalledWith(expect.objectContaining({ amountCents: 12_500n }));
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

test("a deposit to no account is refused at the account, and says so", async () => {
  const given = props();
  const { user } = renderFeature(<MobileDepositForm {...given} />);
  await user.upload(screen.getByLabelText("Front of check"), image("front.png"));
  await user.upload(screen.getByLabelText("Back of check"), image("back.png"));
  await user.type(screen.getByLabelText("Amount"), "120");
  const account = screen.getByLabelText("Deposit To");
  await user.selectOptions(account, "");
  await user.click(deposit());
  expect(screen.getByRole("alert")).toHaveTextContent("Please choose an account");
  expect(account).toBeInvalid();
  expect(account).toHaveFocus();
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

test("a photo whose type the system does not know is judged by its bytes", async () => {
  const given = props();
  const { user } = renderFeature(<MobileDepositForm {...given} />);
  await user.type(screen.getByLabelText("Amount"), "120");
  for (const [label, name] of [
    ["Front of check", "IMG_0001.HEIC"],
    ["Back of check", "IMG_0002.HEIC"],
  ] as const) {
    const field = screen.getByLabelText(label);
    field.removeAttribute("accept");
    await user.upload(field, new File([PNG], name, { type: "" }));
    expect(screen.getByText(name)).toBeVisible();
    expect(field).toBeValid();
  }
  await user.click(deposit());
  await vi.waitFor(() => expect(given.onSubmit).toHaveBeenCalledOnce(), PATIENCE);
});

test("what is no picture, whatever it calls itself, is refused at its own field", async () => {
  const given = props();
  const { user } = renderFeature(<MobileDepositForm {...given} />);
  const back = screen.getByLabelText("Back of check");
  await user.type(screen.getByLabelText("Amount"), "120");
  await user.upload(screen.getByLabelText("Front of check"), image("front.png"));
  await user.upload(back, new File(["not a picture"], "fake.jpg", { type: "image/jpeg" }));
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("Please choose an image file");
  expect(back).toBeInvalid();
  expect(back).toHaveAccessibleDescription("Please choose an image file");
  expect(screen.getByLabelText("Front of check")).toBeValid();
  await user.click(deposit());
  await vi.waitFor(() => expect(back).toHaveFocus(), PATIENCE);
  expect(given.onSubmit).not.toHaveBeenCalled();
  await user.upload(back, image("back.png"));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a word on a photo that was replaced meanwhile is not about the new one", async () => {
  const { user } = renderFeature(<MobileDepositForm {...props()} />);
  const slow = new File(["not a picture"], "slow.jpg", { type: "image/jpeg" });
  let read: (bytes: ArrayBuffer) => void = () => undefined;
  slow.arrayBuffer = () => new Promise((resolve) => (read = resolve));
  await user.upload(screen.getByLabelText("Front of check"), slow);
  await user.upload(screen.getByLabelText("Front of check"), image("front.png"));
  await act(async () => read(new ArrayBuffer(1)));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("what was put together waits while other pages are shown, until the session ends", async () => {
  const first = renderFeature(<MobileDepositForm {...props()} />);
  await first.user.type(screen.getByLabelText("Amount"), "120");
  await first.user.upload(screen.getByLabelText("Front of check"), image("front.png"));
  first.unmount();
  const second = renderFeature(<MobileDepositForm {...props()} />);
  expect(screen.getByLabelText("Amount")).toHaveValue("120.00");
  expect(screen.getByText("front.png")).toBeVisible();
  second.unmount();
  forgetKept();
  renderFeature(<MobileDepositForm {...props()} />);
  expect(screen.getByLabelText("Amount")).toHaveValue("");
  expect(screen.queryByText("front.png")).toBeNull();
});

test("a deposit that arrives while its panel is left empties the next one", async () => {
  const given = props();
  let arrive: (isDone: boolean) => void = () => undefined;
  given.onSubmit.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  const first = renderFeature(<MobileDepositForm {...given} />);
  await first.user.type(screen.getByLabelText("Amount"), "120");
  await first.user.upload(screen.getByLabelText("Front of check"), image("front.png"));
  await first.user.upload(screen.getByLabelText("Back of check"), image("back.png"));
  await first.user.click(deposit());
  await vi.waitFor(() => expect(given.onSubmit).toHaveBeenCalledOnce(), PATIENCE);
  first.unmount();
  renderFeature(<MobileDepositForm {...given} isBusy />);
  expect(screen.getByLabelText("Amount")).toHaveValue("120.00");
  expect(screen.getByLabelText("Amount")).toBeDisabled();
  arrive(true);
  await vi.waitFor(() => expect(screen.getByLabelText("Amount")).toHaveValue(""), PATIENCE);
});

test("a photo that cannot be read any more is refused like one that is none", async () => {
  const gone = image("gone.png");
  gone.arrayBuffer = () => Promise.reject(new DOMException("moved", "NotReadableError"));
  const { user } = renderFeature(<MobileDepositForm {...props()} />);
  await user.upload(screen.getByLabelText("Front of check"), gone);
  expect(await screen.findByRole("alert")).toHaveTextContent("Please choose an image file");
});

test("the three notes are shown", () => {
  renderFeature(<MobileDepositForm {...props()} />);
  expect(screen.getByText(/For Mobile Deposit Only/)).toBeVisible();
  expect(screen.getByText(/signed and endorsed/)).toBeVisible();
  expect(screen.getByText(/clear and well lit/)).toBeVisible();
});
