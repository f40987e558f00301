import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, test } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { SPECIFIED_PASSWORD_FACTS } from "../../../convex/shared/rules/password";
import {
  EMPTY_APPLICATION,
  EMPTY_PASSWORDS,
  FIELDS,
  SECTIONS,
} from "../../../src/features/registration/fields";
import { PendingApproval } from "../../../src/features/registration/PendingApproval";
import { findProblems } from "../../../src/features/registration/problems";
import { RejectedApplication } from "../../../src/features/registration/RejectedApplication";
import { SignupForm } from "../../../src/features/registration/SignupForm";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";
import { COMPLETE } from "./applicant";

const FACTS = { ...SPECIFIED_PASSWORD_FACTS, todayIso: "2026-11-20" };

const messagesOf = (changes: Partial<typeof COMPLETE>) =>
  findProblems({ ...COMPLETE, ...changes }, FACTS).map((problem) => problem.message);

/** The form as the route uses it: problems found on submit. */
function Form({ initial }: { initial: typeof COMPLETE }) {
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<ReturnType<typeof findProblems>>([]);
  const [attempt, setAttempt] = useState(0);
  return (
    <main>
      <SignupForm
        values={values}
        onChange={(field, value) => setValues((before) => ({ ...before, [field]: value }))}
        onSubmit={() => {
          setProblems(findProblems(values, FACTS));
          setAttempt(attempt + 1);
        }}
        onClear={() => setValues({ ...EMPTY_APPLICATION, ...EMPTY_PASSWORDS })}
        isBusy={false}
        problems={problems}
        attempt={attempt}
        maxBirthDate={FACTS.todayIso}
      />
    </main>
  );
}

describe("problems of an application", () => {
  test("a complete application has none, with or without an alternative email", () => {
    expect(messagesOf({})).toEqual([]);
    expect(messagesOf({ alternativeEmail: "ines@home.example" })).toEqual([]);
  });

  test.each([
    [{ email: "ines" }, "Please enter a valid email address"],
    [{ confirmPassword: "other" }, "Passwords do not match"],
    [
      { password: "harb5", confirmPassword: "harb5" },
      "Password should be at least 6 characters long.",
    ],
    [{ alternativeEmail: "home" }, "Alternative Email: Please enter a valid email address"],
    [{ dateOfBirth: "2026-11-20" }, "Please enter a valid date of birth"],
    [{ street: "  " }, "Street Address is required"],
    [{ city: "x".repeat(500) }, "City: Please remove unusual characters or shorten the text"],
  ])("%o gives one problem: %s", (changes, message) => {
    expect(messagesOf(changes)).toEqual([message]);
  });

  test("no two problems have the same sentence, which as a link would lead to two places", () => {
    const messages = messagesOf(WRONG);
    expect(messages).toHaveLength(Object.keys(WRONG).length);
    expect(new Set(messages).size).toBe(messages.length);
  });

  test("of an empty form every required field is named, in the order of the form", () => {
    const found = findProblems({ ...EMPTY_APPLICATION, ...EMPTY_PASSWORDS }, FACTS);
    const expected = FIELDS.filter(
      (field) => !field.isOptional && field.name !== "confirmPassword",
    ).map((field) => field.name);
    expect(found.map((problem) => problem.field)).toEqual(expected);
  });
});

/** Breaks every rule of the form that concerns a value, all at once. */
const WRONG = {
  email: "ines",
  password: "harb5",
  confirmPassword: "other",
  alternativeEmail: "home",
  dateOfBirth: "2026-11-20",
  street: "  ",
  city: "x".repeat(500),
};

describe("the application form", () => {
  test("has the specified sections as groups and every field with its label", async () => {
    renderFeature(<Form initial={{ ...EMPTY_APPLICATION, ...EMPTY_PASSWORDS }} />);
    await screen.findByRole("combobox", { name: "Country" });
    for (const section of SECTIONS) {
      const group = screen.getByRole("group", { name: section.legend });
      for (const field of section.fields) {
        expect(within(group).getByLabelText(field.label)).toBeVisible();
      }
    }
    expect(screen.getAllByRole("group")).toHaveLength(6);
    expect(screen.getByLabelText("Marital Status")).toHaveTextContent(
      "SingleMarriedDivorcedWidowed",
    );
    expect(screen.getByLabelText("ID Type")).toHaveTextContent(
      "PassportNational IDDriver's License",
    );
    expect(screen.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/login");
    await expectNoAxeViolations();
  });

  test("a refused submission moves to the summary, whose links lead to marked fields", async () => {
    const { user } = renderFeature(<Form initial={{ ...COMPLETE, email: "ines", city: "" }} />);
    await screen.findByRole("combobox", { name: "Country" });
    await user.click(screen.getByRole("button", { name: "Submit Application" }));
    const alert = screen.getByRole("alert");
    expect(alert.parentElement).toHaveFocus();
    expect(within(alert).getByText("Please fill in all required fields")).toBeVisible();
    expect(screen.getByLabelText("Email")).toHaveAccessibleDescription(
      "Please enter a valid email address",
    );
    await user.click(within(alert).getByRole("link", { name: "City is required" }));
    expect(screen.getByLabelText("City")).toHaveFocus();
    expect(screen.getByLabelText("City")).toBeInvalid();
    expect(screen.getByLabelText("State")).toBeValid();
    await expectNoAxeViolations();
  });

  test.each([
    ["nothing filled in", { ...EMPTY_APPLICATION, ...EMPTY_PASSWORDS }],
    ["every value wrong that can be", { ...COMPLETE, ...WRONG }],
  ])("each refused field is invalid and described by its sentence: %s", async (_what, initial) => {
    const problems = findProblems(initial, FACTS);
    const { user } = renderFeature(<Form initial={initial} />);
    await screen.findByRole("combobox", { name: "Country" });
    await user.click(screen.getByRole("button", { name: "Submit Application" }));
    for (const { name, label } of FIELDS) {
      const control = screen.getByLabelText(label);
      const problem = problems.find(({ field }) => field === name);
      if (problem === undefined) {
        expect(control).toBeValid();
        continue;
      }
      expect(control).toBeInvalid();
      expect(control).toHaveAccessibleDescription(expect.stringContaining(problem.message));
    }
  });

  test("a refusal of the whole form stands in the summary as a sentence and leads nowhere", () => {
    const problem = { field: null, code: "OFFLINE", message: MESSAGES.OFFLINE } as const;
    const nothing = () => undefined;
    renderFeature(
      <SignupForm
        values={COMPLETE}
        onChange={nothing}
        onClear={() => undefined}
        onSubmit={nothing}
        isBusy={false}
        problems={[problem]}
        attempt={1}
        maxBirthDate={FACTS.todayIso}
      />,
    );
    const alert = screen.getByRole("alert");
    expect(alert).toHaveTextContent(MESSAGES.OFFLINE);
    expect(within(alert).queryByRole("link")).not.toBeInTheDocument();
  });

  test("is cleared only after a question, half-typed dates included", async () => {
    const { user } = renderFeature(<Form initial={COMPLETE} />);
    const date = screen.getByLabelText("Date of Birth");
    const clear = screen.getByRole("button", { name: "Clear form" });
    await user.click(clear);
    await user.click(within(await screen.findByRole("alertdialog")).getByText("Cancel"));
    expect(screen.getByLabelText("First Name")).toHaveValue(COMPLETE.firstName);
    await user.click(clear);
    await user.click(within(await screen.findByRole("alertdialog")).getByText("Clear form"));
    expect(screen.getByLabelText("First Name")).toHaveValue("");
    expect(date).not.toBeInTheDocument();
    await waitFor(() => expect(clear).toHaveFocus());
  });

  test("a complete section is marked in the list of sections", async () => {
    renderFeature(<Form initial={{ ...COMPLETE, idCardNumber: "" }} />);
    await screen.findByRole("combobox", { name: "Country" });
    const list = screen.getByRole("navigation", { name: "Sections" });
    expect(within(list).getAllByText("(complete)")).toHaveLength(5);
  });
});

describe("while an application is under review", () => {
  test("the pending page says how long, that an email follows, and whom to ask", async () => {
    renderFeature(
      <main>
        <PendingApproval />
      </main>,
    );
    expect(
      screen.getByRole("heading", { level: 1, name: "Account Pending Approval" }),
    ).toBeVisible();
    expect(screen.getByText(/1-2 business days/)).toHaveTextContent(/email notification/);
    expect(
      within(screen.getByRole("region", { name: "Next steps" })).getAllByRole("listitem"),
    ).toHaveLength(3);
    expect(screen.getByRole("link", { name: "support@wrenmoor.example" })).toBeVisible();
    await expectNoAxeViolations();
  });

  test("a rejection is never silent: the reason and whom to ask", () => {
    renderFeature(
      <RejectedApplication isFormerMember={false} reason="The document has expired." />,
    );
    expect(screen.getByRole("region", { name: "Reason" })).toHaveTextContent(
      "The document has expired.",
    );
    expect(screen.getByRole("link", { name: "support@wrenmoor.example" })).toBeVisible();
  });
});
