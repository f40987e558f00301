import { fireEvent, screen } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { describe, expect, test, vi } from "vitest";
import { CredentialsStep } from "../../../src/features/auth/CredentialsStep";
import { NewPasswordStep } from "../../../src/features/auth/NewPasswordStep";
import { OtpStep } from "../../../src/features/auth/OtpStep";
import { readLoginState } from "../../../src/app/loginState";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const REFUSED = "Failed to sign in. Please check your credentials.";

function Credentials(props: {
  onSubmit?: (password: string) => void;
  problem?: string | null;
  isBusy?: boolean;
  notice?: ReactNode;
}) {
  const [email, setEmail] = useState("");
  return (
    <main>
      <CredentialsStep
        email={email}
        onEmailChange={setEmail}
        onSubmit={props.onSubmit ?? (() => undefined)}
        isBusy={props.isBusy ?? false}
        problem={props.problem ?? null}
        notice={props.notice}
      />
    </main>
  );
}

describe("step 1, Welcome Back", () => {
  test("sends the password and offers both fields to password managers", async () => {
    const onSubmit = vi.fn();
    const { user } = renderFeature(<Credentials onSubmit={onSubmit} />);
    expect(screen.getByRole("heading", { level: 1, name: "Welcome Back" })).toBeVisible();
    expect(screen.getByLabelText("Email")).toHaveAttribute("autocomplete", "username");
    expect(screen.getByLabelText("Password")).toHaveAttribute("autocomplete", "current-password");
    await user.type(screen.getByLabelText("Email"), "maya@demo.example");
    await user.type(screen.getByLabelText("Password"), "secret{Enter}");
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith("secret");
  });

  test("why the person is here again is read out with the heading, which takes the focus", () => {
    const heading = () => screen.getByRole("heading", { level: 1, name: "Welcome Back" });
    const { rerender } = renderFeature(<Credentials />);
    expect(heading()).not.toHaveAttribute("aria-describedby");
    rerender(<Credentials notice={<p>Your session has ended.</p>} />);
    expect(heading()).toHaveAccessibleDescription("Your session has ended.");
  });

  test("an empty form is refused with the one sentence and leads to the empty field", async () => {
    const onSubmit = vi.fn();
    const { user } = renderFeature(<Credentials onSubmit={onSubmit} />);
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(screen.getByRole("alert")).toHaveTextContent(REFUSED);
    expect(screen.getByLabelText("Email")).toHaveFocus();
    await user.type(screen.getByLabelText("Email"), "maya@demo.example{Enter}");
    expect(screen.getByLabelText("Password")).toHaveFocus();
    expect(onSubmit).not.toHaveBeenCalled();
  });

  test("a refusal is said once, marks both fields and keeps what was typed", async () => {
    const { user, rerender } = renderFeature(<Credentials />);
    await user.type(screen.getByLabelText("Email"), "maya@demo.example");
    rerender(<Credentials problem={REFUSED} isBusy />);
    // A second alert in the same words is only heard if the first one went.
    expect(screen.queryByRole("alert")).toBeNull();
    rerender(<Credentials problem={REFUSED} />);
    expect(screen.getAllByText(REFUSED)).toHaveLength(1);
    expect(screen.getByLabelText("Email")).toHaveValue("maya@demo.example");
    expect(screen.getByLabelText("Email")).toHaveAccessibleDescription(REFUSED);
    expect(screen.getByLabelText("Password")).toBeInvalid();
    await expectNoAxeViolations();
  });

  test("a second submission while one is under way does nothing", async () => {
    const onSubmit = vi.fn();
    const { user } = renderFeature(<Credentials onSubmit={onSubmit} isBusy />);
    await user.type(screen.getByLabelText("Email"), "a@b.c");
    await user.type(screen.getByLabelText("Password"), "x{Enter}");
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

describe("step 2, Verify OTP", () => {
  const step = (props: Partial<Parameters<typeof OtpStep>[0]> = {}) => (
    <main>
      <OtpStep
        email="maya@demo.example"
        onBack={() => undefined}
        onSubmit={() => undefined}
        isBusy={false}
        problem={null}
        {...props}
      />
    </main>
  );

  test("the code field has the focus; the button is enabled at six digits only", async () => {
    const onSubmit = vi.fn();
    const { user } = renderFeature(step({ onSubmit }));
    expect(screen.getByRole("heading", { level: 1, name: "Verify OTP" })).toBeVisible();
    expect(screen.getByLabelText("Verification code")).toHaveFocus();
    const button = screen.getByRole("button", { name: "Verify OTP" });
    for (const digit of "20481") {
      expect(button).toBeDisabled();
      await user.keyboard(digit);
    }
    expect(button).toBeDisabled();
    await user.keyboard("6");
    expect(button).toBeEnabled();
    await user.click(button);
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith("204816");
    await expectNoAxeViolations();
  });

  test("a refused code is cleared, the field focused, the sentence said once", async () => {
    const { user, rerender } = renderFeature(step());
    await user.keyboard("000000");
    const message = "Invalid OTP. Please try again.";
    rerender(step({ problem: { message, attempt: 1, attemptsLeft: 4 } }));
    const field = screen.getByLabelText("Verification code");
    expect(field).toHaveValue("");
    expect(field).toHaveFocus();
    expect(field).toBeInvalid();
    expect(screen.getAllByText(message)).toHaveLength(1);
    expect(screen.getByText("4 attempts left.")).toBeVisible();
    await expectNoAxeViolations();
  });

  test("an applicant whose page led here is told why, with the field", async () => {
    renderFeature(step({ isApproved: true }));
    expect(screen.getByLabelText("Verification code")).toHaveAccessibleDescription(
      /Your membership is approved/,
    );
    await expectNoAxeViolations();
  });

  test("Back is offered by name", async () => {
    const onBack = vi.fn();
    const { user } = renderFeature(step({ onBack }));
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(onBack).toHaveBeenCalledTimes(1);
  });
});

describe("a new password that is due", () => {
  const step = (props: Partial<Parameters<typeof NewPasswordStep>[0]> = {}) => (
    <main>
      <NewPasswordStep
        email="maya@demo.example"
        onSubmit={() => undefined}
        onSignOut={() => undefined}
        isBusy={false}
        refusal={null}
        onEdit={() => undefined}
        minLength={6}
        {...props}
      />
    </main>
  );

  test("is saved by password managers under the person's address", () => {
    const { container } = renderFeature(step());
    const name = container.querySelector("[autocomplete=username]");
    expect(name).toHaveValue("maya@demo.example");
    expect(name).not.toBeVisible();
    const kinds = ["Current", "New", "Confirm"].map((label) =>
      screen.getByLabelText(`${label} Password`).getAttribute("autocomplete"),
    );
    expect(kinds).toEqual(["current-password", "new-password", "new-password"]);
  });

  test("must be typed twice alike", async () => {
    const onSubmit = vi.fn();
    const { user } = renderFeature(step({ onSubmit }));
    await user.type(screen.getByLabelText("Current Password"), "once{Enter}");
    expect(screen.getByLabelText("Current Password")).toBeValid();
    expect(screen.getByLabelText("Confirm Password")).toBeInvalid();
    expect(screen.getByLabelText("New Password")).toHaveFocus();
    await user.type(screen.getByLabelText("New Password"), "lantern-58");
    await user.type(screen.getByLabelText("Confirm Password"), "lantern-59{Enter}");
    const again = screen.getByLabelText("Confirm Password");
    expect(again).toBeInvalid();
    expect(again).toHaveFocus();
    const refusal = screen.getByRole("link", { name: "Passwords do not match" });
    expect(refusal).toHaveAttribute("href", `#${again.id}`);
    await user.type(screen.getByLabelText("Confirm Password"), "{Backspace}8");
    expect(screen.queryByText("Passwords do not match")).toBeNull();
    await user.keyboard("{Enter}");
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith({
      currentPassword: "once",
      newPassword: "lantern-58",
    });
  });

  test("is judged by the rules in force before it costs an attempt", async () => {
    const onSubmit = vi.fn();
    const { user } = renderFeature(step({ minLength: 8, onSubmit }));
    const retype = async (text: string) => {
      for (const label of ["New Password", "Confirm Password"]) {
        await user.clear(screen.getByLabelText(label));
        await user.click(screen.getByLabelText(label));
        await user.paste(text);
      }
      await user.keyboard("{Enter}");
    };
    await user.type(screen.getByLabelText("Current Password"), "quiet-Harbor-9");
    for (const [text, sentence] of [
      ["quiet-Harbor-9", "differs from the current one"],
      ["harbor9", "at least 8 characters"],
      ["tree9", "at least 6 characters"],
      ["x".repeat(257), "at most 256 characters"],
      ["password123", "too common"],
    ] as const) {
      await retype(text);
      expect(screen.getByRole("alert")).toHaveTextContent(sentence);
      expect(screen.getByLabelText("New Password")).toBeInvalid();
      expect(screen.getByLabelText("New Password")).toHaveFocus();
    }
    expect(onSubmit).not.toHaveBeenCalled();
  });

  test("a double click on the button above, which moves up under it, signs nobody out", () => {
    const onSignOut = vi.fn();
    renderFeature(step({ onSignOut }));
    fireEvent.click(screen.getByRole("button", { name: "Sign out" }), { detail: 2 });
    expect(onSignOut).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("button", { name: "Sign out" }), { detail: 1 });
    expect(onSignOut).toHaveBeenCalledOnce();
  });

  test("is told its shortest length, and a refusal stands at its field until the next edit", async () => {
    const onEdit = vi.fn();
    const refusal = { code: "PASSWORD_TOO_SHORT", message: "Too short." } as const;
    const { user } = renderFeature(step({ minLength: 8, refusal, onEdit }));
    const field = screen.getByLabelText("New Password");
    expect(field).toHaveAccessibleDescription(/At least 8 characters\. .*Too short\./);
    expect(field).toBeInvalid();
    expect(screen.getByLabelText("Current Password")).toBeValid();
    expect(screen.getByLabelText("Current Password")).not.toHaveAccessibleDescription();
    await expectNoAxeViolations();
    await user.type(field, "x");
    expect(onEdit).toHaveBeenCalledOnce();
  });
});

test("approval is told by the page that saw it, and by nothing else", () => {
  expect(readLoginState({ isApproved: true })).toEqual({ hasEnded: false, isApproved: true });
  expect(readLoginState({ isApproved: "yes" })).toEqual({ hasEnded: false });
});

test("a history entry can only send people to addresses of our own", () => {
  expect(readLoginState({ hasEnded: true, from: "/settings/profile?tab=1" })).toEqual({
    hasEnded: true,
    from: "/settings/profile?tab=1",
  });
  expect(readLoginState({ from: "//evil.example" }).from).toBeUndefined();
  expect(readLoginState({ from: "https://evil.example" }).from).toBeUndefined();
  expect(readLoginState(null)).toEqual({});
});
