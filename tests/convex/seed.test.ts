import { expect, test } from "vitest";
import { internal } from "../../convex/_generated/api";
import { DEMO_APPLICANTS } from "../../convex/model/demoPeople";
import { newBackend, signedIn } from "./support";
import { api } from "../../convex/_generated/api";

test("the demo data set has the eight people with their exact balances", async () => {
  const t = newBackend();
  expect(await t.action(internal.dev.seed.demo, {})).toEqual({ isNew: true });
  const users = await t.run((ctx) => ctx.db.query("users").take(20));
  expect(users).toHaveLength(8);
  for (const person of DEMO_APPLICANTS) {
    const user = users.find((candidate) => candidate.email === person.email);
    expect(user?.status).toBe(person.standing);
    if (user === undefined || person.standing !== "approved") continue;
    const { as } = await signedIn(t, user._id);
    const accounts = await as.query(api.accounts.listMine, {});
    const amounts = accounts.map(({ type, balanceCents, availableCents }) => [
      type,
      balanceCents,
      availableCents,
    ]);
    expect(amounts, person.email).toEqual([
      ["Checking", person.checkingCents, person.checkingCents],
      ["Savings", person.savingsCents, person.savingsCents],
    ]);
  }
});
