import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { TEXTS } from "../../../convex/shared/texts";
import { ContactForm } from "../../../src/features/marketing/contact/ContactForm";
import {
  sendContact,
  type ContactOutcome,
  type KeyedMessage,
} from "../../../src/features/marketing/contact/sendContact";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const send = () =>
  vi.fn<(message: KeyedMessage) => Promise<ContactOutcome>>(async () => ({
    reference: "WCU-7Q4K2M",
  }));

const textbox = (name: string) => screen.getByRole("textbox", { name });
const submit = () => screen.getByRole("button", { name: "Send Message" });

describe("contact form", () => {
  test("an empty form marks what is required, says it once and sends nothing", async () => {
    const onSend = send();
    const { user } = renderFeature(<ContactForm send={onSend} />);
    await user.click(submit());
    expect(await screen.findByRole("alert")).toHaveTextContent(MESSAGES.FILL_REQUIRED_FIELDS);
    expect(screen.getAllByText(MESSAGES.FILL_REQUIRED_FIELDS)).toHaveLength(1);
    for (const name of ["Name", "Email", "Message"]) {
      expect(textbox(name)).toBeInvalid();
      expect(textbox(name)).toHaveAccessibleDescription(MESSAGES.FILL_REQUIRED_FIELDS);
    }
    expect(screen.getByRole("combobox", { name: "Subject" })).toBeInvalid();
    expect(textbox("Phone")).toBeValid();
    expect(textbox("Name")).toHaveFocus();
    expect(onSend).not.toHaveBeenCalled();
    await expectNoAxeViolations();
  });

  test("what was typed outlives the page until it is sent", async () => {
    const first = renderFeature(<ContactForm send={send()} />);
    await fill(first.user);
    await first.user.click(screen.getByRole("radio", { name: "Phone" }));
    first.unmount();
    const second = renderFeature(<ContactForm send={send()} />);
    expect(textbox("Message")).toHaveValue("How do I open a joint account?");
    expect(screen.getByRole("combobox", { name: "Subject" })).toHaveValue("account");
    expect(screen.getByRole("radio", { name: "Phone" })).toBeChecked();
    await second.user.click(submit());
    await second.user.click(await screen.findByRole("button", { name: "Write another message" }));
    expect(textbox("Message")).toHaveValue("");
    expect(textbox("Name")).toHaveFocus();
  });

  test("a corrected field is no longer marked, the others still are", async () => {
    const { user } = renderFeature(<ContactForm send={send()} />);
    await user.click(submit());
    await screen.findByRole("alert");
    await user.type(textbox("Name"), "Ada");
    expect(textbox("Name")).toBeValid();
    expect(textbox("Email")).toBeInvalid();
  });

  test("a wrong address is refused after the required fields, and nothing typed is lost", async () => {
    const onSend = send();
    const { user } = renderFeature(<ContactForm send={onSend} />);
    await fill(user);
    await user.clear(textbox("Email"));
    await user.type(textbox("Email"), "ada@nowhere");
    await user.click(submit());
    expect(await screen.findByRole("alert")).toHaveTextContent(MESSAGES.INVALID_EMAIL);
    expect(textbox("Email")).toBeInvalid();
    expect(textbox("Message")).toHaveValue("How do I open a joint account?");
    expect(onSend).not.toHaveBeenCalled();
  });

  test("a complete message is sent and its reference number named", async () => {
    const onSend = send();
    const { user } = renderFeature(<ContactForm send={onSend} />);
    await fill(user);
    const group = screen.getByRole("group", { name: "Preferred contact method" });
    await user.click(within(group).getByRole("radio", { name: "Phone" }));
    await user.click(submit());
    expect(await screen.findByRole("status")).toHaveTextContent("WCU-7Q4K2M");
    expect(onSend).toHaveBeenCalledExactlyOnceWith({
      name: "Ada Miles",
      email: "ada@mail.example",
      subject: "account",
      message: "How do I open a joint account?",
      preferredContact: "phone",
      requestKey: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    });
  });

  test("the server's refusal is shown with its sentence and the message stays", async () => {
    const onSend = vi.fn(async () => ({ refusal: MESSAGES.RATE_LIMITED }));
    const { user } = renderFeature(<ContactForm send={onSend} />);
    await fill(user);
    await user.click(submit());
    expect(await screen.findByRole("alert")).toHaveTextContent(MESSAGES.RATE_LIMITED);
    expect(textbox("Message")).toHaveValue("How do I open a joint account?");
  });

  test("a lost connection is said in words and the form can be sent again", async () => {
    const onSend = send().mockResolvedValueOnce({ refusal: undefined });
    const { user } = renderFeature(<ContactForm send={onSend} />);
    await fill(user);
    await user.click(submit());
    expect(await screen.findByRole("alert")).toHaveTextContent(
      /no answer, so your message may not have arrived.*cannot arrive twice/,
    );
    await user.click(submit());
    expect(await screen.findByRole("status")).toHaveTextContent("WCU-7Q4K2M");
  });

  test("a message keeps its key until it is answered, even on a reloaded page; another one has its own", async () => {
    const onSend = send().mockResolvedValueOnce({ refusal: undefined });
    const first = renderFeature(<ContactForm send={onSend} />);
    await fill(first.user);
    await first.user.click(submit());
    await screen.findByRole("alert");
    first.unmount();
    const { user } = renderFeature(<ContactForm send={onSend} />);
    await user.click(submit());
    await user.click(await screen.findByRole("button", { name: "Write another message" }));
    await fill(user);
    await user.click(submit());
    await screen.findByRole("status");
    const [lost, again, another] = onSend.mock.calls.map(([{ requestKey }]) => requestKey);
    expect(again).toBe(lost);
    expect(another).not.toBe(lost);
  });

  test("without a network it says that nothing can be sent", async () => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const { user } = renderFeature(<ContactForm send={async () => ({ refusal: undefined })} />);
    await fill(user);
    await user.click(submit());
    expect(await screen.findByRole("alert")).toHaveTextContent(TEXTS.offline);
    expect(textbox("Message")).toHaveValue("How do I open a joint account?");
  });

  test("an answer that is late is spoken of", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = renderFeature(<ContactForm send={() => new Promise(() => {})} />);
    await fill(user);
    await user.click(submit());
    await screen.findByRole("button", { name: "Sending..." });
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(screen.getByText(TEXTS.answerAwaited).closest("[aria-live=polite]")).toBeVisible();
    vi.useRealTimers();
  });

  test("without the rules, which did not load, it says so and can be sent again", async () => {
    vi.doMock("../../../src/features/marketing/contact/judgeContact", () => {
      throw new Error("Failed to fetch dynamically imported module");
    });
    const onSend = send();
    const { user } = renderFeature(<ContactForm send={onSend} />);
    await fill(user);
    await user.click(submit());
    expect(await screen.findByRole("alert")).toHaveTextContent(/could not be sent/);
    expect(onSend).not.toHaveBeenCalled();
    vi.doUnmock("../../../src/features/marketing/contact/judgeContact");
    await user.click(submit());
    expect(await screen.findByRole("status")).toHaveTextContent("WCU-7Q4K2M");
  });

  test("a double click sends one message", async () => {
    let answer: (outcome: ContactOutcome) => void = () => undefined;
    const onSend = vi.fn(() => new Promise<ContactOutcome>((resolve) => (answer = resolve)));
    const { user } = renderFeature(<ContactForm send={onSend} />);
    await fill(user);
    await user.dblClick(submit());
    await waitFor(() => expect(onSend).toHaveBeenCalledTimes(1));
    answer({ reference: "WCU-1" });
    expect(await screen.findByRole("status")).toHaveTextContent("WCU-1");
    expect(onSend).toHaveBeenCalledTimes(1);
  });
});

describe("sending over the HTTP API", () => {
  const message: KeyedMessage = {
    name: "Ada",
    email: "ada@mail.example",
    subject: "general",
    message: "Hello",
    preferredContact: "email",
    requestKey: "k1",
  };

  test.each([
    ["a success", { status: "success", value: { reference: "WCU-2" } }, { reference: "WCU-2" }],
    [
      "a refusal",
      { status: "error", errorMessage: "x", errorData: { code: "X", message: "Not now" } },
      { refusal: "Not now" },
    ],
    ["a hidden bug", { status: "error", errorMessage: "Server Error" }, { refusal: undefined }],
    ["nonsense", "<html>", { refusal: undefined }],
  ])("%s is read as what it is", async (_, body, expected) => {
    const fetchStub = vi.fn(async () => new Response(JSON.stringify(body)));
    vi.stubGlobal("fetch", fetchStub);
    expect(await sendContact(message)).toEqual(expected);
    expect(fetchStub).toHaveBeenCalledWith(
      `${window.location.origin}/api/mutation`,
      expect.objectContaining({
        method: "POST",
        body: JSON.stringify({ path: "contact:send", args: message, format: "json" }),
      }),
    );
    vi.unstubAllGlobals();
  });
});

async function fill(user: ReturnType<typeof renderFeature>["user"]): Promise<void> {
  await user.type(textbox("Name"), "Ada Miles");
  await user.type(textbox("Email"), "ada@mail.example");
  await user.selectOptions(screen.getByRole("combobox", { name: "Subject" }), "account");
  await user.type(textbox("Message"), "How do I open a joint account?");
}
