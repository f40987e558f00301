/** Audit lines, which this backend keeps nowhere, are accepted where the real backend accepts them. */
import { defineSchema, log } from "convex/server";
import { expect, test } from "vitest";
import { embeddedTest } from "../../../embedded/testing";

test("mutations may write audit lines, actions may not", async () => {
  const t = embeddedTest(defineSchema({}), {});
  expect(await t.run(() => log.audit({ what: "paid" }))).toBeNull();
  const inAction = t.action(() => log.audit({ what: "paid" }));
  await expect(inAction).rejects.toThrow("Audit logging is not yet supported in actions");
});
