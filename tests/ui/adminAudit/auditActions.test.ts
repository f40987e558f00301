import { expect, test } from "vitest";
import { AUDIT_ACTIONS, actionText } from "../../../src/features/adminAudit/auditActions";
import { sources } from "../../support/sources";

test("every action that the server writes to the audit log can be filtered and has words", () => {
  const written = sources("convex")
    .flatMap(({ text }) => [...text.matchAll(/\baction: ([^,\n]+)/g)].map(([, value]) => value))
    .flatMap((value) => [...(value ?? "").matchAll(/"([a-zA-Z]+\.[a-zA-Z]+)"/g)])
    .map(([, action]) => action ?? "");
  expect([...new Set(written)].sort()).toEqual([...AUDIT_ACTIONS].sort());
  for (const action of AUDIT_ACTIONS) expect(actionText(action)).not.toBe(action);
});
