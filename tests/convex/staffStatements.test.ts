/** Statements that staff open for a member: any closed month, audited. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { addMonths, momentOf, monthOf, monthsBack } from "../../convex/shared/dates";
import { expectRefusal, newRow } from "./moneySupport";
import { admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  ada = await person(t, "ada@bank.example", { name: "Ada Ode" });
  await root.as.mutation(api.admin.transactions.addMany, {
    userId: ada.userId,
    rows: ["2022-03-10", "2022-05-10"].map((date) =>
      newRow({
        type: "credit",
        amountCents: 1_000n,
        date: momentOf(date, "12:00"),
        status: "Completed",
      }),
    ),
    updateBalance: true,
    requestKey: "rows",
  });
});

const open = (period: string, by = root) =>
  by.as.mutation(api.admin.statements.open, {
    userId: ada.userId,
    accountType: "Checking",
    period,
  });
const lastClosed = addMonths(monthOf(Date.now()), -1);

test("are of every closed month since the first entry, whatever the policy offers to the member", async () => {
  const periods = await root.as.query(api.admin.statements.periods, { userId: ada.userId });
  expect(periods.map(({ period }) => period)).toEqual(monthsBack(lastClosed, "2022-03"));
  expect(periods.at(-1)).toEqual({ period: "2022-03", label: "March 2022" });
  expect(await root.as.query(api.admin.statements.periods, { userId: root.userId })).toHaveLength(
    0,
  );
});

test("are the member's own, and say in the audit log who opened which", async () => {
  expect(await open("2022-05")).toMatchObject({
    holderName: "Ada Ode",
    openingCents: 1_000n,
    closingCents: 2_000n,
    rows: [{ amountCents: 1_000n, balanceAfterCents: 2_000n }],
  });
  const entry = await t.run((ctx) => ctx.db.query("auditLog").order("desc").first());
  expect(entry).toMatchObject({
    action: "statement.open",
    actorEmail: root.email,
    personId: ada.userId,
    targetLabel: "Checking of ada@bank.example, May 2022",
  });
});

test.each(["2022-02", monthOf(Date.now()), "2022-13", ""])(
  "there is none of %j, and nobody is said to have opened it",
  async (period) => {
    await expectRefusal(t, () => open(period), "STATEMENT_NOT_AVAILABLE");
  },
);
