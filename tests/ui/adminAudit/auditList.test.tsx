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
