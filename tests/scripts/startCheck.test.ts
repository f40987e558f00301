/** What the product does by itself at start. */
import { expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { enter, openBank } from "../attacks/bank";
import { DEMO } from "../e2e/support/people";
import { temporaryDir } from "../support/temporaryDir";

test("a starting server checks its ledger, and administrators see the result", async () => {
  // New data, which nothing has checked before.
  const dataDir = temporaryDir();
  const bank = await openBank({}, {}, dataDir);
  try {
    const { http } = await enter(bank, DEMO.admin);
    await vi.waitFor(
      async () =>
        expect((await http.query(api.admin.health.get, {})).ledger).toMatchObject({
          isOk: true,
          problems: [],
        }),
      { timeout: 60_000, interval: 200 },
    );
  } finally {
    await bank.close();
  }
}, 90_000);
