/** Spec sections 3 and 4: what the records hold besides what the pages show. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { DEMO_APPLICANTS } from "../../convex/model/dev/demoPeople";
import { stubAuthKeys } from "./authKeys";
import { newReview, reviewSteps, type Review } from "./registrationSupport";
import { person } from "./support";

let t: Review["t"];
let root: Review["root"];
let lena: Review["lena"];

beforeEach(async () => {
  ({ t, root, lena } = await newReview());
});

const { tickAll, approve, reject, userOf } = reviewSteps(() => ({ t, root, lena }));

test("whoever registers is pending in role, status and verification, from that moment on", async () => {
  await stubAuthKeys();
  const { application } = DEMO_APPLICANTS[0]!;
  const credentials = { email: "zoe@bank.example", password: "k7#Pwz long" };
  const params = { flow: "signUp", ...credentials, application };
  const beforeMs = Date.now();
  await t.action(api.auth.signIn, { provider: "password", params });
  const user = await t.run((ctx) => ctx.db.query("users").order("desc").first());
  expect(user).toMatchObject({
    role: "pending",
    status: "pending",
    documents: { verificationStatus: "pending" },
    registrationDate: user?.createdAt,
  });
  expect(user?.registrationDate).toBeGreaterThanOrEqual(beforeMs);
});

test("an approval is dated in the copy, and opens accounts whose ids name type and moment", async () => {
  const beforeMs = Date.now();
  await tickAll(lena.userId);
  await approve(lena.userId);
  const copy = await t.run((ctx) => ctx.db.query("approvedUsers").first());
  expect(copy).toMatchObject({ role: "user", status: "approved" });
  expect(copy?.approvedAt).toBeGreaterThanOrEqual(beforeMs);
  const opened = await t.run((ctx) => ctx.db.query("accounts").take(20));
  const own = opened.filter(({ userId }) => userId === lena.userId);
  expect(own.map(({ id }) => id)).toEqual([
    `checking-${copy?.approvedAt}`,
    `savings-${copy?.approvedAt}`,
  ]);
});

test("a rejection is dated in the record, and in the copy alike", async () => {
  const beforeMs = Date.now();
  await reject(lena.userId);
  const { rejectedAt } = (await userOf(lena.userId)) ?? {};
  expect(rejectedAt).toBeGreaterThanOrEqual(beforeMs);
  const copy = await t.run((ctx) => ctx.db.query("rejectedApplications").first());
  expect(copy).toMatchObject({ role: "pending", status: "rejected", rejectedAt });
});

test("rows made by administrators say so, posted or not", async () => {
  const ada = await person(t, "ada@bank.example");
  const row = {
    accountType: "Checking" as const,
    type: "credit" as const,
    amountCents: 500n,
    description: "Refund",
    category: "Other" as const,
    date: Date.now(),
  };
  await root.as.mutation(api.admin.transactions.addMany, {
    userId: ada.userId,
    rows: [
      { ...row, status: "Completed" },
      { ...row, status: "Pending" },
    ],
    updateBalance: true,
    requestKey: "refund",
  });
  const rows = await t.run((ctx) => ctx.db.query("transactions").take(5));
  expect(rows.map(({ createdBy }) => createdBy)).toEqual(["admin", "admin"]);
});
