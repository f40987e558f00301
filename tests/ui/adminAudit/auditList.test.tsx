import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { AuditList } from "../../../src/features/adminAudit/AuditList";
import { formatDateTime } from "../../../src/lib/format";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

test("an entry says when it was written as the rest of the product writes times", async () => {
  const at = Date.UTC(2026, 10, 20, 14, 30);
  const entry = {
    _id: "e1",
    at,
    actorEmail: "admin@demo.example",
    action: "user.setRole",
    targetLabel: "maya@demo.example",
  };
  renderFeature(
    <AuditList entries={[entry]} isStale={false} status="Exhausted" onLoadMore={() => undefined} />,
  );
  expect(screen.getByText(formatDateTime(at))).toBeVisible();
  await expectNoAxeViolations();
});

test("a reason stands once, and lines stand as they were read", async () => {
  const entry = {
    at: 0,
    actorEmail: "admin@demo.example",
    targetLabel: "maya@demo.example",
  };
  const restriction = {
    ...entry,
    _id: "e1",
    action: "restriction.set",
    after: JSON.stringify({ reason: "Court order" }),
    reason: "Court order",
  };
  const request = {
    ...entry,
    _id: "e2",
    action: "approval.request",
    after: JSON.stringify({ lines: ['+$5.00 Checking: "Rent"', "Reason: Late"] }),
  };
  renderFeature(
    <AuditList
      entries={[restriction, request]}
      isStale={false}
      status="Exhausted"
      onLoadMore={() => undefined}
    />,
  );
  expect(screen.getAllByText(/Court order/)).toHaveLength(1);
  const lines = screen.getByText(/Rent/);
  expect(lines.textContent).toBe('+$5.00 Checking: "Rent"\nReason: Late');
});

test("old words stand before new ones, whichever way both are written", () => {
  const entry = {
    _id: "e1",
    at: 0,
    actorEmail: "admin@demo.example",
    action: "restriction.set",
    targetLabel: "maya@demo.example",
    before: JSON.stringify({ reason: "בדיקה 12" }),
    after: JSON.stringify({ reason: "צו 7" }),
  };
  renderFeature(
    <AuditList entries={[entry]} isStale={false} status="Exhausted" onLoadMore={() => undefined} />,
  );
  // Side by side without a direction of their own, the two would be one line read from the right.
  for (const text of ["בדיקה 12", "צו 7"]) {
    expect(screen.getByText(text)).toHaveAttribute("dir", "auto");
  }
});

test("policies are read by their names and values", () => {
  const entry = { at: 0, actorEmail: "admin@demo.example" };
  const switched = {
    ...entry,
    _id: "e1",
    action: "policy.set",
    targetLabel: "secondAdminApprovalAbove",
    before: JSON.stringify("null"),
    after: JSON.stringify("100000"),
  };
  const all = {
    ...entry,
    _id: "e2",
    action: "policy.applyRecommended",
    targetLabel: "all policies",
    before: JSON.stringify({ passwordMinLength: "8", otpReuse: '"oncePerSession"' }),
    after: JSON.stringify({ passwordMinLength: "15", otpReuse: '"oncePerMember"' }),
  };
  renderFeature(
    <AuditList
      entries={[switched, all]}
      isStale={false}
      status="Exhausted"
      onLoadMore={() => undefined}
    />,
  );
  const [first, second] = screen.getAllByRole("listitem");
  expect(first).toHaveTextContent(
    /Policy switchedSecond administrator.*Value ?Off ?Above \$1,000\.00/,
  );
  expect(second).toHaveTextContent(/Shortest password ?8 characters ?15 characters/);
  expect(second).toHaveTextContent(
    /Reuse of one-time codes ?Once per session ?Once per member, ever/,
  );
});

test("a value that stands alone is read as it is, whatever the target's name ends in", () => {
  const entry = {
    _id: "e1",
    at: 0,
    actorEmail: "admin@demo.example",
    action: "inbox.setHandled",
    targetLabel: "maya@demo.date",
    after: "3",
  };
  renderFeature(
    <AuditList entries={[entry]} isStale={false} status="Exhausted" onLoadMore={() => undefined} />,
  );
  expect(screen.getByRole("listitem")).toHaveTextContent(/Value ?3$/);
});

test("an empty page is not called the whole log while older entries are left", () => {
  const list = (status: "CanLoadMore" | "Exhausted" | "LoadingFirstPage") => (
    <AuditList
      entries={[]}
      isStale={status === "LoadingFirstPage"}
      status={status}
      onLoadMore={() => undefined}
    />
  );
  const { rerender } = renderFeature(list("CanLoadMore"));
  expect(screen.getByText("No match among the newest entries")).toBeVisible();
  expect(screen.getByRole("button", { name: "Load more" })).toBeVisible();
  rerender(list("Exhausted"));
  expect(screen.getByText("No entries")).toBeVisible();
  rerender(list("LoadingFirstPage"));
  expect(screen.queryByText(/^No/), "while those of other filters load").not.toBeInTheDocument();
});
