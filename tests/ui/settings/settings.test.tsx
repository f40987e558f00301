import { screen, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { deviceName } from "../../../src/features/settings/deviceName";
import { PasswordForm } from "../../../src/features/settings/PasswordForm";
import { SessionsCard } from "../../../src/features/settings/SessionsCard";
import { ThemeCard } from "../../../src/features/settings/ThemeCard";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";
import { renderWithBackend } from "../../support/renderWithBackend";

describe("Change Password", () => {
  function props() {
    return {
      email: "maya@demo.example",
      minLength: 6,
      isBusy: false,
      refusal: null,
      disabledReason: undefined,
      onEdit: vi.fn(),
      onSubmit: vi.fn(async () => true),
    };
  }
  const submit = () => screen.getByRole("button", { name: "Change Password" });

  test("refuses in order and sends only two passwords", async () => {
    const given = props();
    const { user } = renderFeature(<PasswordForm {...given} />);
    await user.click(submit());
    expect(screen.getByRole("alert")).toHaveTextContent("Please fill in all required fields");
    expect(screen.getByLabelText("Current Password")).toHaveFocus();
    for (const label of ["Current Password", "New Password", "Confirm Password"]) {
      expect(screen.getByLabelText(label)).toBeInvalid();
    }
    await user.type(screen.getByLabelText("Current Password"), "old-Secret-1");
    await user.type(screen.getByLabelText("New Password"), "quiet-Harbor-9");
    await user.type(screen.getByLabelText("Confirm Password"), "quiet-Harbor-8");
    await user.click(submit());
    expect(screen.getByRole("alert")).toHaveTextContent("Passwords do not match");
    await user.clear(screen.getByLabelText("New Password"));
    await user.clear(screen.getByLabelText("Confirm Password"));
    await user.type(screen.getByLabelText("New Password"), "old-Secret-1");
    await user.type(screen.getByLabelText("Confirm Password"), "old-Secret-1");
    await user.click(submit());
    expect(screen.getByRole("alert")).toHaveTextContent(
      "Please choose a password that differs from the current one.",
    );
    expect(screen.getByLabelText("New Password")).toHaveFocus();
    await user.clear(screen.getByLabelText("New Password"));
    await user.clear(screen.getByLabelText("Confirm Password"));
    await user.type(screen.getByLabelText("New Password"), "quiet-Harbor-9");
    await user.type(screen.getByLabelText("Confirm Password"), "quiet-Harbor-9");
    await user.click(submit());
    expect(given.onSubmit).toHaveBeenCalledExactlyOnceWith({
      currentPassword: "old-Secret-1",
      newPassword: "quiet-Harbor-9",
    });
    expect(screen.getByLabelText("New Password")).toHaveValue("");
    expect(window.sessionStorage).toHaveLength(0);
  });

  test("says and asks for the length in force", async () => {
    const given = { ...props(), minLength: 8 };
    const { user } = renderFeature(<PasswordForm {...given} />);
    expect(screen.getByLabelText("New Password")).toHaveAccessibleDescription(
      "At least 8 characters.",
    );
    await user.type(screen.getByLabelText("Current Password"), "old-Secret-1");
    await user.type(screen.getByLabelText("New Password"), "harbor9");
    await user.type(screen.getByLabelText("Confirm Password"), "harbor9{Enter}");
    expect(screen.getByRole("alert")).toHaveTextContent("at least 8 characters");
    expect(given.onSubmit).not.toHaveBeenCalled();
  });

  test("password managers learn whose password it is", () => {
    const { container } = renderFeature(<PasswordForm {...props()} />);
    const name = container.querySelector("form [autocomplete=username]");
    expect(name).toHaveValue(props().email);
    expect(name).not.toBeVisible();
  });

  test("what the server refuses stays in the form, to be corrected", async () => {
    const given = { ...props(), onSubmit: vi.fn(async () => false) };
    const { user } = renderFeature(<PasswordForm {...given} />);
    await user.type(screen.getByLabelText("Current Password"), "old-Secret-1");
    await user.type(screen.getByLabelText("New Password"), "quiet-Harbor-9");
    await user.type(screen.getByLabelText("Confirm Password"), "quiet-Harbor-9{Enter}");
    expect(given.onSubmit).toHaveBeenCalledOnce();
    expect(screen.getByLabelText("New Password")).toHaveValue("quiet-Harbor-9");
  });

  test("a wrong current password marks that field", async () => {
    const refusal = {
      code: "CURRENT_PASSWORD_WRONG",
      message: "The current password is incorrect.",
    } as const;
    renderFeature(<PasswordForm {...props()} refusal={refusal} />);
    expect(screen.getByLabelText("Current Password")).toBeInvalid();
    await expectNoAxeViolations();
  });
});

describe("active sessions", () => {
  const session = (handle: string) => ({
    handle,
    isCurrent: handle === "here",
    createdAt: 0,
    lastActiveAt: 0,
  });
  const end = (handle: string) =>
    within(screen.getAllByRole("listitem")[handle === "here" ? 0 : 1] as HTMLElement).getByRole(
      "button",
      { name: "Sign out this session" },
    );

  test("the focus stays near when a session leaves the list with its button", async () => {
    const signOut = vi.fn(async () => {
      answer("profile:sessions", [session("here")]);
      return null;
    });
    const { user, answer } = renderWithBackend(<SessionsCard onSignOut={vi.fn()} />, {
      queries: { "profile:sessions": [session("here"), session("there")] },
      mutations: { "profile:signOutSession": signOut },
    });
    await user.click(end("there"));
    expect(signOut).toHaveBeenCalledExactlyOnceWith({ handle: session("there").handle });
    await screen.findByText("Session signed out.");
    expect(screen.getByRole("list", { name: "Sessions" })).toHaveFocus();
    await expectNoAxeViolations();
  });

  test("what failed is not told beside what succeeded afterwards", async () => {
    const { user } = renderWithBackend(<SessionsCard onSignOut={vi.fn()} />, {
      queries: { "profile:sessions": [session("here"), session("there")] },
      mutations: {
        "profile:signOutSession": () => Promise.reject(new Error("connection lost")),
        "profile:signOutEverywhereElse": async () => ({ count: 1 }),
      },
    });
    await user.click(end("there"));
    expect(await screen.findByRole("alert")).toHaveTextContent("The change was not saved.");
    await user.click(screen.getByRole("button", { name: "Sign out everywhere else" }));
    await screen.findByText("1 other session signed out.");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

test("the theme is applied at once", async () => {
  const { user } = renderFeature(<ThemeCard />);
  await user.click(screen.getByRole("radio", { name: "Dark" }));
  expect(document.documentElement.dataset.theme).toBe("dark");
  await user.click(screen.getByRole("radio", { name: "Same as device" }));
  expect(document.documentElement.dataset.theme).toBeUndefined();
});

test.each([
  ["Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36", "Chrome on Windows"],
  ["Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1", "Safari on iOS"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/140.0 Safari/604.1",
    "Chrome on iOS",
  ],
  ["Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) FxiOS/140.0 Safari/605.1", "Firefox on iOS"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) EdgiOS/140.0 Safari/604.1",
    "Edge on iOS",
  ],
  ["Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Safari/537.36 EdgA/140.0", "Edge on Android"],
  [
    "Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28.0 Chrome/130.0 Safari/537.36",
    "Samsung Internet on Android",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0", "Firefox on Linux"],
  [undefined, "Unknown device"],
])("%s is %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
