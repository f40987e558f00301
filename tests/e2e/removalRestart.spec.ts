/** Deleting all of a member's transactions continues after a restart (spec section 2 "Delete User Transactions"). */
import { addRows, adminClient, countRows, ledgerProblems, userIdOf } from "../support/backOffice";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

const ROWS = 3_000;

test(
  "a deletion stopped by a power cut continues after the restart, also on the open page",
  { tag: "@long" },
  async ({ server, signInAs, expectConnectionTrouble }) => {
    // Signing in, thousands of rows and two starts of a server.
    test.setTimeout(180_000);
    const office = await adminClient(server.url);
    const userId = await userIdOf(office, DEMO.omar);
    await addRows(office, userId, ROWS);
    const rows = await countRows(office, userId);

    const page = await signInAs(DEMO.admin);
    const panel = page.getByRole("region", { name: "Delete User Transactions", exact: true });
    await panel.getByLabel("User email").fill(DEMO.omar);
    await panel.getByRole("button", { name: "Delete Transactions" }).click();
    await expect(panel.getByText(/^[1-9]\d* transactions deleted so far$/)).toBeVisible();
    expectConnectionTrouble();
    await server.kill();
    await server.restart();

    await expect(panel.getByText(`Successfully deleted ${rows} transactions`)).toBeVisible({
      timeout: 60_000,
    });
    expect(await countRows(office, userId)).toBe(0);
    expect(await ledgerProblems(office)).toEqual([]);
  },
);
