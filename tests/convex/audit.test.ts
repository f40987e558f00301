import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { publicFunctions } from "../conformance/publicFunctions";
import { callsOf, PASSWORD } from "./auditCalls";
import { ENTRIES, describeEntry } from "./auditEntries";
import { accountOf, PREPARE } from "./auditPrepare";
import { addCodes, admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  await addCodes(t, "111111");
});

test("every mutating admin function has a call here", async () => {
  const mutating = (await publicFunctions()).filter(
    ({ kind, guard }) => guard === "admin" && kind !== "query",
  );
  const paths = mutating.map(({ path }) => path);
  expect(Object.keys(callsOf(t, root)).sort()).toEqual(paths);
  expect(Object.keys(ENTRIES).sort()).toEqual(paths);
});

test.each(Object.keys(ENTRIES))("%s writes exactly one entry, without secrets", async (path) => {
  const member = await person(t, "ada@bank.example");
  const applicant = await person(t, "lena@bank.example", {
    role: "pending",
    status: "pending",
    hasPassedCode: false,
  });
  const id = await PREPARE[path]?.(t, member, applicant);
  await callsOf(t, root)[path]?.(member, applicant, id ?? "");
  const entries = await t.run((ctx) => ctx.db.query("auditLog").take(10));
  expect(entries).toHaveLength(1);
  const [entry] = entries;
  expect(entry).toMatchObject({ actorId: root.userId, actorEmail: root.email });
  expect(entry && describeEntry(entry, member, applicant)).toEqual(ENTRIES[path]);
  // A timestamp may contain any six digits.
  const text = JSON.stringify(entries).replaceAll(/\d{13}/g, "#");
  for (const secret of ["111111", "222222", PASSWORD]) expect(text).not.toContain(secret);
});

test("the log is filtered by person, action and actor, newest first", async () => {
  const ada = await person(t, "ada@bank.example");
  const second = await admin(t, "second@bank.example");
  const { userId } = ada;
  await root.as.mutation(api.admin.restrictions.set, { userId, reason: "one" });
  await second.as.mutation(api.admin.restrictions.lift, { userId });
  await second.as.action(api.admin.otpCodes.list, {});
  const actions = async (filter: object) => {
    const args = { ...filter, paginationOpts: { numItems: 10, cursor: null } };
    const { page } = await root.as.query(api.admin.audit.page, args);
    return page.map(({ action }) => action);
  };
  expect(await actions({})).toEqual(["otp.list", "restriction.lift", "restriction.set"]);
  expect(await actions({ personId: userId })).toEqual(["restriction.lift", "restriction.set"]);
  expect(await actions({ actorId: second.userId })).toEqual(["otp.list", "restriction.lift"]);
  expect(await actions({ action: "otp.list" })).toEqual(["otp.list"]);
  expect(await actions({ personId: userId, actorId: root.userId })).toEqual(["restriction.set"]);
  const accountId = await accountOf(t, ada);
  await callsOf(t, root)["admin/accounts:update"]?.(ada, ada, accountId);
  expect(await actions({ accountId })).toEqual(["account.update"]);
  expect(await actions({ accountId, action: "restriction.set" })).toEqual([]);
});
