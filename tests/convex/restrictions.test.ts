import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { admin, newBackend, person, refusalOf, type Backend, type Person } from "./support";

let t: Backend;
let root: Person;

beforeEach(async () => {
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
    expect(await ada.as.query(api.profile.securityEvents, {})).toHaveLength(3);
    const notices = await ada.as.query(api.notifications.mine, {});
    expect(notices.map(({ title }) => title)).toEqual([
      "External transfers resumed",
      "External transfers suspended",
      "External transfers suspended",
    ]);
  });

  test.each([0, -1, Number.NaN, Infinity, 1e300])("refuse the expiry %d", async (expiresAt) => {
    const { userId } = await person(t, "ada@bank.example");
    const call = root.as.mutation(api.admin.restrictions.set, { userId, reason: "x", expiresAt });
    expect(await refusalOf(call)).toBe("INVALID_DATE");
  });
});
