/** What an audit entry says about the time before the change, where that is not what one would guess. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
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
