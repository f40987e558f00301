import { fireEvent, screen, waitFor } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { beforeEach, expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { OTP_CODES_LEFT_FEW } from "../../../convex/shared/limits";
import { OtpManager } from "../../../src/features/adminOtp/OtpManager";
import { useOtpManager } from "../../../src/features/adminOtp/useOtpManager";
import { fakeServer } from "../../support/convexReact";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const LISTED = MESSAGES.OTP_CODE_EXISTS;

function Manager() {
  return <OtpManager {...useOtpManager()} />;
}

async function renderRefused() {
  const { user } = renderFeature(<Manager />);
  await user.type(await screen.findByLabelText("New code"), "123456{Enter}");
  expect(await screen.findByText(LISTED)).toBeVisible();
  return user;
}

beforeEach(() => {
  fakeServer.queries = { "admin/otpCodes:summary": { usedIds: [], left: null } };
  fakeServer.calls = {
    "admin/otpCodes:list": async () => [{ _id: "c1", code: "123456" }],
    "admin/otpCodes:add": async () => {
      throw new ConvexError({ code: "OTP_CODE_EXISTS", message: LISTED });
    },
  };
});

test("a code that is used while the list is open is marked at once", async () => {
  const { rerender } = renderFeature(<Manager />);
  expect(await screen.findByText("Not used")).toBeVisible();
  fakeServer.queries = { "admin/otpCodes:summary": { usedIds: ["c1"], left: null } };
  rerender(<Manager />);
  expect(screen.getByText("Used")).toBeVisible();
});

test("no code is said to be unused before that is known", async () => {
  fakeServer.queries = {};
  renderFeature(<Manager />);
  expect(await screen.findByText(/^1 code in the list/)).toBeVisible();
  expect(screen.queryByText("Not used")).not.toBeInTheDocument();
});

test("a double click spares the code that has moved into the place of the removed one", async () => {
  const list = [
    { _id: "c1", code: "123456" },
    { _id: "c2", code: "222222" },
  ];
  const remove = vi.fn(async () => void list.shift());
  fakeServer.calls["admin/otpCodes:list"] = async () => [...list];
  fakeServer.calls["admin/otpCodes:remove"] = remove;
  const { user } = renderFeature(<Manager />);
  const button = await screen.findByRole("button", { name: "Remove 123456" });
  await user.click(button);
  await waitFor(() => expect(button).not.toBeInTheDocument());
  const next = screen.getByRole("button", { name: "Remove 222222" });
  fireEvent.click(next, { detail: 2 });
  expect(remove).toHaveBeenCalledOnce();
});

test("a refusal leaves when the code is edited", async () => {
  const user = await renderRefused();
  await expectNoAxeViolations();
  await user.type(screen.getByLabelText("New code"), "7");
  expect(screen.queryByText(LISTED)).not.toBeInTheDocument();
});

test("a refusal does not stand beside the success of the next action", async () => {
  const user = await renderRefused();
  await user.click(screen.getByRole("button", { name: "Remove 123456" }));
  expect(await screen.findByText("The code was removed.")).toBeVisible();
  expect(screen.queryByText(LISTED)).not.toBeInTheDocument();
  await user.type(screen.getByLabelText("New code"), "7{Enter}");
  expect(screen.getByRole("alert")).toHaveTextContent(MESSAGES.INVALID_OTP_FORMAT);
  expect(screen.queryByText("The code was removed.")).not.toBeInTheDocument();
  await user.type(screen.getByLabelText("New code"), "{Backspace}{Enter}");
  expect(await screen.findByText(LISTED)).toBeVisible();
  await waitFor(() => expect(screen.queryByText("The code was removed.")).not.toBeInTheDocument());
});

test.each([
  ["Remove 123456", "remove"],
  ["Clear used codes", "clearUsed"],
])("a wrongly formed code does not hide what came of %j", async (name, called) => {
  fakeServer.calls[`admin/otpCodes:${called}`] = async () => {
    throw new ConvexError({ code: "OTP_CODE_LAST", message: MESSAGES.OTP_CODE_LAST });
  };
  const { user } = renderFeature(<Manager />);
  await user.type(await screen.findByLabelText("New code"), "12345{Enter}");
  expect(screen.getByRole("alert")).toHaveTextContent(MESSAGES.INVALID_OTP_FORMAT);
  await user.click(await screen.findByRole("button", { name }));
  expect(await screen.findByText(MESSAGES.OTP_CODE_LAST)).toBeVisible();
});

test("a code that another administrator removed leaves the list when it is not found", async () => {
  const list = [
    { _id: "c1", code: "123456" },
    { _id: "c2", code: "222222" },
  ];
  fakeServer.calls["admin/otpCodes:list"] = async () => [...list];
  fakeServer.calls["admin/otpCodes:remove"] = async () => {
    throw new ConvexError({ code: "OTP_CODE_GONE", message: MESSAGES.OTP_CODE_GONE });
  };
  const { user } = renderFeature(<Manager />);
  const button = await screen.findByRole("button", { name: "Remove 123456" });
  list.shift();
  await user.click(button);
  await waitFor(() => expect(button).not.toBeInTheDocument());
  expect(screen.getByText("222222")).toBeVisible();
  expect(screen.getByRole("alert")).toHaveTextContent(MESSAGES.OTP_CODE_GONE);
});

test("a code added while the list is still being opened is in it", async () => {
  const codes = [{ _id: "c1", code: "123456" }];
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  fakeServer.calls["admin/otpCodes:list"] = async () => {
    const opened = [...codes];
    await held;
    return opened;
  };
  fakeServer.calls["admin/otpCodes:add"] = async () => {
    codes.push({ _id: "c2", code: "654321" });
  };
  const { user } = renderFeature(<Manager />);
  await user.type(screen.getByLabelText("New code"), "654321{Enter}");
  expect(await screen.findByText("The code was added.")).toBeVisible();
  answer();
  expect(await screen.findByText("654321")).toBeVisible();
});

test("a list that cannot be opened says so, and can be opened again", async () => {
  const open = fakeServer.calls["admin/otpCodes:list"]!;
  fakeServer.calls["admin/otpCodes:list"] = async () => {
    throw new Error("the server is away");
  };
  const { user } = renderFeature(<Manager />);
  expect(await screen.findByText(MESSAGES.OTP_CODES_LIST_FAILED)).toBeVisible();
  expect(screen.queryByText("Opening the list")).toBeNull();
  fakeServer.calls["admin/otpCodes:list"] = open;
  await user.click(screen.getByRole("button", { name: "Open the list" }));
  expect(await screen.findByText("123456")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(document.activeElement).toContainElement(screen.getByRole("list", { name: "Codes" }));
  expect(document.body).not.toHaveFocus();
});

test.each(["the server is away", "Connection lost while action was in flight"])(
  "a change that was made is not said to be lost when the list cannot be opened after it (%s)",
  async (trouble) => {
    const open = fakeServer.calls["admin/otpCodes:list"]!;
    const { user } = renderFeature(<Manager />);
    await screen.findByText("123456");
    fakeServer.calls["admin/otpCodes:add"] = async () => null;
    fakeServer.calls["admin/otpCodes:remove"] = async () => null;
    fakeServer.calls["admin/otpCodes:list"] = () => Promise.reject(new Error(trouble));
    await user.type(screen.getByLabelText("New code"), "654321{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "The code was added. Only the list could not be opened again.",
    );
    expect(screen.getByLabelText("New code")).toHaveValue("");
    // The list from before would be wrong.
    expect(screen.queryByText("123456")).toBeNull();
    await expectNoAxeViolations();
    fakeServer.calls["admin/otpCodes:list"] = open;
    await user.click(screen.getByRole("button", { name: "Open the list" }));
    expect(await screen.findByText("123456")).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
    fakeServer.calls["admin/otpCodes:list"] = () => Promise.reject(new Error(trouble));
    await user.click(screen.getByRole("button", { name: "Remove 123456" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(/^The code was removed\. Only/);
    expect(document.activeElement).toContainElement(
      screen.getByRole("button", { name: "Open the list" }),
    );
    expect(document.body).not.toHaveFocus();
  },
);

test("a list whose first opening has no answer can be opened again", async () => {
  const lost = new Error("Connection lost while action was in flight");
  fakeServer.calls["admin/otpCodes:list"] = () => Promise.reject(lost);
  renderFeature(<Manager />);
  expect(await screen.findByRole("alert")).toHaveTextContent(MESSAGES.OTP_CODES_LIST_FAILED);
});

test("only the button of what is under way is busy, the other waits", async () => {
  let answer = (): void => {};
  const held = () => new Promise<null>((resolve) => (answer = () => resolve(null)));
  fakeServer.calls["admin/otpCodes:add"] = held;
  fakeServer.calls["admin/otpCodes:remove"] = held;
  const { user } = renderFeature(<Manager />);
  const addButton = screen.getByRole("button", { name: "Add code" });
  const clearButton = screen.getByRole("button", { name: "Clear used codes" });
  await user.type(await screen.findByLabelText("New code"), "654321{Enter}");
  expect(addButton).toHaveAttribute("aria-busy", "true");
  expect(clearButton).not.toHaveAttribute("aria-busy");
  expect(clearButton).toBeDisabled();
  answer();
  await waitFor(() => expect(clearButton).toBeEnabled());
  await user.click(screen.getByRole("button", { name: "Remove 123456" }));
  for (const button of [addButton, clearButton]) {
    expect(button).not.toHaveAttribute("aria-busy");
    expect(button).toBeDisabled();
  }
  answer();
  await waitFor(() => expect(addButton).toBeEnabled());
});

test.each([
  [OTP_CODES_LEFT_FEW, OTP_CODES_LEFT_FEW + 1, true],
  [OTP_CODES_LEFT_FEW + 1, OTP_CODES_LEFT_FEW, true],
  [OTP_CODES_LEFT_FEW + 1, OTP_CODES_LEFT_FEW + 1, false],
])(
  "it says how many of the codes that work once are left (%i, %i), and warns of few",
  async (own, everybody, isFew) => {
    fakeServer.queries = { "admin/otpCodes:summary": { usedIds: [], left: { own, everybody } } };
    renderFeature(<Manager />);
    const sentence = `Each code works once per member. Left for you: ${own}. Left for everybody else: at least ${everybody}.`;
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.getByText(sentence).parentElement?.matches(".text-warn")).toBe(isFew);
    await expectNoAxeViolations();
  },
);

test("the focus goes from a removed code to the one in its place, and to the one before after the last", async () => {
  const list = ["111111", "222222", "333333"].map((code) => ({ _id: code, code }));
  fakeServer.calls["admin/otpCodes:list"] = async () => [...list];
  fakeServer.calls["admin/otpCodes:remove"] = async ({ codeId }) =>
    void list.splice(
      list.findIndex(({ _id }) => _id === codeId),
      1,
    );
  const { user } = renderFeature(<Manager />);
  for (const [removed, next] of [
    ["222222", "333333"],
    ["333333", "111111"],
  ]) {
    await user.click(await screen.findByRole("button", { name: `Remove ${removed}` }));
    await waitFor(() => expect(screen.queryByText(removed!)).toBeNull());
    expect(screen.getByRole("button", { name: `Remove ${next}` })).toHaveFocus();
  }
});

test("as specified, where every session may use every code, nothing is said of it", async () => {
  renderFeature(<Manager />);
  expect(await screen.findByText("123456")).toBeVisible();
  expect(screen.queryByText(/Left for you/)).not.toBeInTheDocument();
});
