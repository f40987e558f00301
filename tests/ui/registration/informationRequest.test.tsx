/** What the reviewers ask an applicant, and the answer. */
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { InformationRequest } from "../../../src/features/registration/InformationRequest";
import { clearDrafts } from "../../../src/lib/drafts";
import { renderFeature } from "../../support/renderFeature";

test("a request for information can be answered, and shows its answer afterwards", async () => {
  const onAnswer = vi.fn(async () => true);
  const request = { text: "Which unit?", requestedAt: Date.parse("2026-11-20T15:00:00Z") };
  const panel = (answer?: string) => (
    <InformationRequest
      draftKey="answer-ines"
      request={answer === undefined ? request : { ...request, answer }}
      onAnswer={onAnswer}
      isBusy={false}
      problem={null}
      onEdit={() => undefined}
    />
  );
  const { user, rerender } = renderFeature(panel());
  await user.click(screen.getByRole("button", { name: "Send answer" }));
  expect(screen.getByLabelText("Your answer")).toHaveAccessibleDescription(
    "Please fill in all required fields",
  );
  await user.type(screen.getByLabelText("Your answer"), " Unit 4 ");
  await user.click(screen.getByRole("button", { name: "Send answer" }));
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith("Unit 4");
  rerender(panel("Unit 4"));
  expect(screen.getByRole("status")).toHaveTextContent("Your answer was sent");
  expect(screen.queryByRole("button", { name: "Send answer" })).not.toBeInTheDocument();
  expect(screen.getByRole("figure")).toHaveFocus();
});

test("the answer to one question does not stand at the next; one that was not sent stays", async () => {
  const onAnswer = vi.fn<() => Promise<boolean>>();
  onAnswer.mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  const panel = (text: string) => (
    <InformationRequest
      draftKey="answer-ines"
      request={{ text, requestedAt: 0 }}
      onAnswer={onAnswer}
      isBusy={false}
      problem={null}
      onEdit={() => undefined}
    />
  );
  const { user, rerender } = renderFeature(panel("Which unit?"));
  await user.type(screen.getByLabelText("Your answer"), "Unit 4");
  await user.click(screen.getByRole("button", { name: "Send answer" }));
  expect(screen.getByLabelText("Your answer")).toHaveValue("Unit 4");
  await user.click(screen.getByRole("button", { name: "Send answer" }));
  rerender(panel("Since when?"));
  expect(screen.getByLabelText("Your answer")).toHaveValue("");
});

test("an answer being written survives a reload", async () => {
  const panel = (draftKey: string) => (
    <InformationRequest
      draftKey={draftKey}
      request={{ text: "Which unit?", requestedAt: 0 }}
      onAnswer={async () => false}
      isBusy={false}
      problem={null}
      onEdit={() => undefined}
    />
  );
  const { user, unmount } = renderFeature(panel("answer-ines"));
  await user.type(screen.getByLabelText("Your answer"), "Unit 4, since");
  unmount();
  const another = renderFeature(panel("answer-paolo"));
  expect(screen.getByLabelText("Your answer")).toHaveValue("");
  another.unmount();
  renderFeature(panel("answer-ines"));
  expect(screen.getByLabelText("Your answer")).toHaveValue("Unit 4, since");
  clearDrafts();
});

test("a long answer is not cut: the server says that it is too long, and it stays", async () => {
  const onAnswer = vi.fn<() => Promise<boolean>>().mockResolvedValue(false);
  const panel = (problem: string | null) => (
    <InformationRequest
      draftKey="answer-ines"
      request={{ text: "Which unit?", requestedAt: 0 }}
      onAnswer={onAnswer}
      isBusy={false}
      problem={problem}
      onEdit={() => undefined}
    />
  );
  const { user, rerender } = renderFeature(panel(null));
  const long = "x".repeat(5_000);
  await user.click(screen.getByLabelText("Your answer"));
  await user.paste(long);
  await user.click(screen.getByRole("button", { name: "Send answer" }));
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(long);
  rerender(panel("Please remove unusual characters or shorten the text"));
  expect(screen.getByLabelText("Your answer")).toHaveValue(long);
  expect(screen.getByLabelText("Your answer")).toBeInvalid();
});
