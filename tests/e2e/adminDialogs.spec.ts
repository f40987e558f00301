/** Every dialog of the back office: no axe violations, no horizontal scrolling, the focus returns. */
import type { Page } from "@playwright/test";
import { api } from "../../convex/_generated/api";
import { addRows, adminClient, userIdOf } from "../support/backOffice";
import { expectNoSidewaysScroll, expectNoViolations } from "./support/accessible";
import { DEMO } from "./support/people";
import { expect, expectLoaded, test } from "./support/test";
import type { RunningServer } from "./support/server";

/** A page, the button that opens a dialog there, its title, and buttons that show its further states. */
interface DialogStep {
  readonly at: string;
  readonly opener: string | RegExp;
  readonly title: string | RegExp;
  readonly presses?: readonly string[];
}

/** Makes Omar a second administrator with a change to approve; adds a batch of rows for Maya. */
async function prepare(server: RunningServer): Promise<readonly DialogStep[]> {
  const office = await adminClient(server.url);
  const userId = await userIdOf(office, DEMO.omar);
  await office.mutation(api.admin.users.setRole, { userId, role: "admin" });
  const maya = await userIdOf(office, DEMO.maya);
  await addRows(office, maya, 2);
  const key = "secondAdminApprovalAbove";
  await office.mutation(api.admin.policies.set, { key, value: "100000" });
  const change = { kind: "transactions.removeAll" as const, args: { email: DEMO.maya } };
  await office.mutation(api.admin.approvals.request, { change });

  const place = async (email: string) => `/admin?user=${await userIdOf(office, email)}`;
  const [lena, nora, lock] = [
    await place(DEMO.lena),
    await place(DEMO.nora),
    await place(DEMO.lock),
  ];
  return [
    { at: "/admin", opener: "Create New User", title: "Create New User", presses: ["Create User"] },
    {
      at: lena,
      opener: "Verify User",
      title: "User Verification",
      presses: ["Reject", "Reject application", "Back", "Request more information", "Send request"],
    },
    {
      at: nora,
      opener: "Restrict transfers",
      title: "Restrict transfers",
      presses: ["Restrict transfers"],
    },
    { at: nora, opener: "Make administrator", title: "Make administrator?" },
    { at: nora, opener: "Reset password", title: "Reset password", presses: ["Reset password"] },
    { at: nora, opener: "Disable sign-in", title: "Disable sign-in", presses: ["Disable sign-in"] },
    { at: lock, opener: "Lift restriction", title: "Lift this restriction?" },
    { at: `/admin?user=${maya}`, opener: "Delete Row 0", title: "Delete this transaction?" },
    { at: `/admin?user=${maya}`, opener: /^Take back 2/, title: "Take back 2 transactions?" },
    { at: "/admin/approvals", opener: "Approve change", title: "Approve this change?" },
    {
      at: "/admin/approvals",
      opener: "Refuse change",
      title: "Refuse this change",
      presses: ["Refuse change"],
    },
    { at: "/admin/policies", opener: "Apply recommended policies", title: /policies/ },
    {
      at: "/admin/deposits",
      opener: "Zoom front of check",
      title: "Front of check",
      presses: ["Larger"],
    },
    { at: "/admin/deposits", opener: "Approve deposit", title: /^Approve \$/ },
    {
      at: "/admin/deposits",
      opener: "Reject deposit",
      title: "Reject deposit",
      presses: ["Reject deposit"],
    },
  ];
}

const DIALOG = "[role=dialog], [role=alertdialog]";

async function checkDialog(
  page: Page,
  { at, opener, title, presses = [] }: DialogStep,
): Promise<void> {
  const button = page.getByRole("button", { name: opener });
  await button.click();
  const dialog = page.locator(DIALOG);
  await expect(dialog).toHaveAccessibleName(title);
  await expectNoViolations(page, `${at} ${String(title)}`, DIALOG);
  for (const press of presses) {
    await dialog.getByRole("button", { name: press, exact: true }).click();
    await expectNoViolations(page, `${at} ${String(title)}, ${press}`, DIALOG);
  }
  await expectNoSidewaysScroll(page, `${at} ${String(title)}`);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [390, 1440]) {
    test(
      `every dialog of the back office is accessible (${colorScheme}, ${width} px)`,
      { tag: "@long" },
      async ({ server, signInAs }) => {
        test.setTimeout(240_000);
        const steps = await prepare(server);
        const page = await signInAs(DEMO.omar, { colorScheme, viewport: { width, height: 844 } });
        for (const step of steps) {
          if (new URL(page.url()).pathname + new URL(page.url()).search !== step.at) {
            await page.goto(server.url + step.at);
            await expectLoaded(page);
            if (step.at === "/admin/deposits") {
              await page.getByRole("button", { name: new RegExp(DEMO.maya) }).click();
            }
          }
          await checkDialog(page, step);
        }
      },
    );
  }
}
