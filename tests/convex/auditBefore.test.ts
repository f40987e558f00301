/** What an audit entry says about the time before the change, where that is not what one would guess. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { VERIFICATION_CHECKS } from "../../convex/shared/validators";
import { admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
});

/** Before and after of the newest entry. */
async function newestChange(): Promise<{ before: unknown; after: unknown }> {
  const entry = await t.run((ctx) => ctx.db.query("auditLog").order("desc").first());
  const parsed = (text: string | undefined): unknown => JSON.parse(text ?? "null");
  return { before: parsed(entry?.before), after: parsed(entry?.after) };
}

test("switching every policy names the values that were set before, not the specified ones", async () => {
  const minLength = { key: "passwordMinLength" } as const;
  await root.as.mutation(api.admin.policies.set, { ...minLength, value: "8" });
  await root.as.mutation(api.admin.policies.applyRecommended, {});
  expect(await newestChange()).toMatchObject({
    before: { passwordMinLength: "8" },
    after: { passwordMinLength: "8" },
  });
});

test("a sign-in that is disabled twice was disabled before the second time", async () => {
  const { userId } = await person(t, "ada@bank.example");
  const disable = () =>
    root.as.mutation(api.admin.users.setDisabled, { userId, isDisabled: true, reason: "x" });
  await disable();
  expect(await newestChange()).toMatchObject({ before: { isDisabled: false } });
  await disable();
  expect(await newestChange()).toMatchObject({ before: { isDisabled: true } });
});

test("a check that is ticked twice, then cleared, was ticked before", async () => {
  const { userId } = await person(t, "ada@bank.example");
  const [check] = VERIFICATION_CHECKS;
  const changes: unknown[] = [];
  for (const isChecked of [true, true, false]) {
    await root.as.mutation(api.admin.registrations.setCheck, { userId, check, isChecked });
    changes.push(await newestChange());
  }
  expect(changes).toEqual([
    { before: { [check]: false }, after: { [check]: true } },
    { before: { [check]: true }, after: { [check]: true } },
    { before: { [check]: true }, after: { [check]: false } },
  ]);
});

test("the count of somebody who made transfers is named when it is reset", async () => {
  const { userId } = await person(t, "ada@bank.example", { transfers: 2 });
  await root.as.mutation(api.admin.transferCounts.resetOne, { userId });
  expect(await newestChange()).toEqual({ before: { count: 2 }, after: { count: 0 } });
});

test("a message that is opened again was handled before", async () => {
  await t.mutation(api.contact.send, {
    name: "Zoe",
    email: "zoe@mail.example",
    subject: "general",
    message: "Hello",
    preferredContact: "email",
  });
  const message = await t.run((ctx) => ctx.db.query("contactMessages").first());
  for (const isHandled of [true, false]) {
    await root.as.mutation(api.admin.inbox.setHandled, { messageId: message!._id, isHandled });
  }
  expect(await newestChange()).toEqual({
    before: { isHandled: true },
    after: { isHandled: false },
  });
});
