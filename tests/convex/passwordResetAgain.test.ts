/** A one-time password whose answer was lost, and which the administrator's page asks for again. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { enter, stubAuthKeys } from "./authKeys";
import {
  admin,
  newBackend,
  newUser,
  refusalOf,
  snapshot,
  type Backend,
  type Person,
} from "./support";

const JUNE = newUser();
const KEY = "9f".repeat(16);

let t: Backend;
let root: Person;
let userId: Id<"users">;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  await stubAuthKeys();
  ({ userId } = await root.as.action(api.admin.users.create, JUNE));
});

type Reset = { by: Person; userId: Id<"users">; reason: string; requestKey: string };
const reset = ({ by = root, ...changes }: Partial<Reset> = {}) =>
  by.as.action(api.admin.users.resetPassword, {
    userId,
    reason: "Forgotten, seen at the branch",
    requestKey: KEY,
    ...changes,
  });
const signIn = (password: string) => enter(t, "signIn", JUNE.email, password);

test("the same key tells the same password, and changes nothing", async () => {
  const first = await reset();
  expect(first.password).toMatch(/^[0-9a-f]{16}$/);
  const before = await snapshot(t);
  expect(await reset()).toEqual(first);
  expect(await snapshot(t)).toBe(before);
  expect(before).not.toContain(first.password);
  // The password can be made from the key.
  expect(before).not.toContain(KEY);
  await signIn(first.password);
});

test("two calls with one key that meet are one reset", async () => {
  const [one, other] = await Promise.all([reset(), reset()]);
  expect(other).toEqual(one);
  const mails = await t.run((ctx) => ctx.db.query("outbox").collect());
  expect(mails.filter(({ subject }) => subject === "Your password was reset")).toHaveLength(1);
  await signIn(one.password);
});

test("a key is good for one person, one reason and one administrator", async () => {
  const first = await reset();
  const ada = newUser({ email: "ada@bank.example" });
  const other = await root.as.action(api.admin.users.create, ada);
  expect(await refusalOf(reset({ userId: other.userId }))).toBe("REQUEST_KEY_REUSED");
  expect(await refusalOf(reset({ reason: "Asked on the telephone" }))).toBe("REQUEST_KEY_REUSED");
  expect(await refusalOf(reset({ requestKey: "" }))).toBe("INVALID_TEXT");
  const second = await admin(t, "second@bank.example");
  const { password } = await reset({ by: second });
  expect(password).not.toBe(first.password);
  await signIn(password);
});

test("a refused reset leaves its key free", async () => {
  expect(await refusalOf(reset({ userId: root.userId }))).toBe("OWN_ACCOUNT_FORBIDDEN");
  await signIn((await reset()).password);
});

test("a password that another reset has replaced is told to nobody any more", async () => {
  await reset();
  const { password } = await reset({ requestKey: "another key" });
  expect(await refusalOf(reset())).toBe("REQUEST_KEY_REUSED");
  await signIn(password);
});

test("one that waits for a second administrator is told as such until that is decided", async () => {
  const second = await admin(t, "second@bank.example");
  const policy = { key: "secondAdminApprovalAbove", value: "100000" };
  await root.as.mutation(api.admin.policies.set, policy);
  const waiting = async () => {
    const paginationOpts = { numItems: 10, cursor: null };
    const { page } = await second.as.query(api.admin.approvals.list, { paginationOpts });
    return page.map(({ _id }) => _id);
  };
  const first = await reset();
  expect(first.isAsked).toBe(true);
  const [approvalId = ""] = await waiting();
  expect(await reset()).toEqual(first);
  expect(await waiting()).toEqual([approvalId]);
  await second.as.mutation(api.admin.approvals.approve, { approvalId });
  expect(await reset()).toEqual({ password: first.password, isAsked: false });

  await reset({ requestKey: "another key" });
  const [refusedId = ""] = await waiting();
  const refusal = { approvalId: refusedId, reason: "Nobody called" };
  await second.as.mutation(api.admin.approvals.reject, refusal);
  expect(await refusalOf(reset({ requestKey: "another key" }))).toBe("REQUEST_KEY_REUSED");
});
