import { beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { expectRefusal, mailsTo } from "./moneySupport";
import { admin, newBackend, person, refusalOf, type Backend, type Person } from "./support";

let t: Backend;
let root: Person;

beforeEach(async () => {
  vi.useRealTimers();
  t = newBackend();
  root = await admin(t);
});

describe("restrictions of external transfers", () => {
  test("are set, shown, replaced and lifted, each with one audit entry and a security event", async () => {
    const ada = await person(t, "ada@bank.example");
    const { userId } = ada;
    const detail = () => root.as.query(api.admin.users.get, { userId });
    await root.as.mutation(api.admin.restrictions.set, { userId, reason: "Review" });
    expect(await detail()).toMatchObject({ restriction: { reason: "Review", setBy: root.email } });
    const expiresAt = Date.now() + 60_000;
    await root.as.mutation(api.admin.restrictions.set, { userId, reason: "More", expiresAt });
    expect(await detail()).toMatchObject({ restriction: { reason: "More", expiresAt } });
    await root.as.mutation(api.admin.restrictions.lift, { userId });
    expect(await detail()).toMatchObject({ restriction: null });
    expect(await refusalOf(root.as.mutation(api.admin.restrictions.lift, { userId }))).toBe(
      "NO_RESTRICTION",
    );
    const args = { personId: userId, paginationOpts: { numItems: 10, cursor: null } };
    const { page } = await root.as.query(api.admin.audit.page, args);
    expect(page.map(({ action }) => action)).toEqual([
      "restriction.lift",
      "restriction.set",
      "restriction.set",
    ]);
    const more = { reason: "More", expiresAt };
    expect(page.map(({ before, after }) => [before, after])).toEqual([
      [JSON.stringify(more), "null"],
      [JSON.stringify({ reason: "Review" }), JSON.stringify(more)],
      ["null", JSON.stringify({ reason: "Review" })],
    ]);
    const kept = await t.run((ctx) => ctx.db.query("restrictions").take(5));
    expect(kept.map(({ liftedBy }) => liftedBy)).toEqual([root.email, root.email]);
    expect(await ada.as.query(api.profile.securityEvents, {})).toHaveLength(3);
    const notices = await ada.as.query(api.notifications.mine, {});
    const titles = notices.map(({ title }) => title);
    expect(titles).toEqual([
      "External transfers resumed",
      "External transfers suspended",
      "External transfers suspended",
    ]);
    expect(await mailsTo(t, ada)).toEqual([...titles].reverse());
  });

  test("are nobody's own affair: an administrator neither sets nor lifts theirs", async () => {
    const { userId } = root;
    const set = () => root.as.mutation(api.admin.restrictions.set, { userId, reason: "Review" });
    const lift = () => root.as.mutation(api.admin.restrictions.lift, { userId });
    await expectRefusal(t, set, "OWN_ACCOUNT_FORBIDDEN");
    const other = await admin(t, "other@bank.example");
    await other.as.mutation(api.admin.restrictions.set, { userId, reason: "Review" });
    await expectRefusal(t, lift, "OWN_ACCOUNT_FORBIDDEN");
  });

  test("need a reason, which is kept without the blanks around it", async () => {
    const { userId } = await person(t, "ada@bank.example");
    const set = (reason: string) =>
      root.as.mutation(api.admin.restrictions.set, { userId, reason });
    await expectRefusal(t, () => set(" \n"), "REASON_REQUIRED");
    await expectRefusal(t, () => set("a\u202eb"), "INVALID_TEXT");
    await set(" Review ");
    const detail = await root.as.query(api.admin.users.get, { userId });
    expect(detail?.restriction?.reason).toBe("Review");
  });

  test("end later than they begin", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { userId } = await person(t, "ada@bank.example");
    const until = (expiresAt: number) =>
      root.as.mutation(api.admin.restrictions.set, { userId, reason: "Review", expiresAt });
    await expectRefusal(t, () => until(Date.now()), "INVALID_DATE");
    await until(Date.now() + 1);
  });

  test.each([0, -1, Number.NaN, Infinity, 1e300])("refuse the expiry %d", async (expiresAt) => {
    const { userId } = await person(t, "ada@bank.example");
    const call = root.as.mutation(api.admin.restrictions.set, { userId, reason: "x", expiresAt });
    expect(await refusalOf(call)).toBe("INVALID_DATE");
  });
});
