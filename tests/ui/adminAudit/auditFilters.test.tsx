import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { MESSAGES } from "../../../convex/shared/errors";
import { AuditFilters } from "../../../src/features/adminAudit/AuditFilters";
import { useAuditLog } from "../../../src/features/adminAudit/useAuditLog";
import { saveFile } from "../../../src/lib/saveFile";
import { fakeServer } from "../../support/convexReact";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

vi.mock("convex/react", () => import("../../support/convexReact"));
vi.mock("../../../src/lib/saveFile", () => ({ saveFile: vi.fn() }));

function Filters() {
  return <AuditFilters {...useAuditLog().filters} />;
}

test("filters that are cleared leave the focus at the filters", async () => {
  const onClear = vi.fn();
  const filters = (narrowedTo: string | null) => (
    <AuditFilters
      actions={[]}
      action=""
      onActionChange={() => undefined}
      accounts={[]}
      account=""
      onAccountChange={() => undefined}
      narrowedTo={narrowedTo}
      onFindPerson={() => undefined}
      onClear={onClear}
      onExport={() => undefined}
      isFinding={false}
      canExport
      isExporting={false}
      done={null}
      failure={null}
    />
  );
  const { user, rerender } = renderFeature(filters("about maya@demo.example"));
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(onClear).toHaveBeenCalledOnce();
  rerender(filters(null));
  expect(screen.getByRole("search", { name: "Audit log" })).toHaveFocus();
});

test("an export says that the file was saved", async () => {
  fakeServer.calls["admin/audit:page"] = async () => ({
    page: [],
    continueCursor: "",
    isDone: true,
  });
  const { user } = renderFeature(<Filters />);
  await user.click(screen.getByRole("button", { name: "Export CSV" }));
  const said = await screen.findByText("The file was saved.");
  expect(said.closest("[role=status]")).toBeVisible();
  expect(saveFile).toHaveBeenCalledOnce();
});

test("nothing is exported before it is known whom the address names", () => {
  const { unmount } = renderFeature(<Filters />, "/admin/audit?person=maya");
  expect(screen.getByRole("button", { name: "Export CSV" })).toBeDisabled();
  unmount();
  renderFeature(<Filters />, "/admin/audit?action=otp.add");
  expect(screen.getByRole("button", { name: "Export CSV" })).toBeEnabled();
});

test("what one action failed at leaves when another one starts", async () => {
  fakeServer.calls["admin/audit:page"] = () => Promise.reject(new Error("no connection"));
  const { user } = renderFeature(<Filters />);
  await user.click(screen.getByRole("button", { name: "Export CSV" }));
  expect(await screen.findByText(MESSAGES.EXPORT_FAILED)).toBeVisible();
  await expectNoAxeViolations();
  await user.type(screen.getByLabelText("Person's email"), "nobody@demo.example{Enter}");
  expect(await screen.findByText(MESSAGES.USER_NOT_FOUND)).toBeVisible();
  fakeServer.calls["admin/audit:page"] = () => new Promise(() => undefined);
  await user.click(screen.getByRole("button", { name: "Export CSV" }));
  await waitFor(() => expect(screen.queryByRole("alert")).not.toBeInTheDocument());
});
