/** Which calls to change the password are the same one. */
import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { appError } from "../../../convex/shared/errors";
import { usePasswordChange } from "../../../src/features/settings/usePasswordChange";
import { fakeServer } from "../../support/convexReact";

const LOST = new Error("Connection lost while action was in flight");
const CHANGE = { currentPassword: "old-Secret-1", newPassword: "quiet-Harbor-9" };

test("the same passwords are sent under the same key until there is an answer", async () => {
  const answers = [LOST, LOST, null, appError("CURRENT_PASSWORD_WRONG"), null];
  const keys: unknown[] = [];
  fakeServer.calls["profile:changePassword"] = async ({ requestKey }) => {
    keys.push(requestKey);
    const answer = answers.shift();
    return answer ? Promise.reject(answer) : Promise.resolve(null);
  };
  const { result } = renderHook(() => usePasswordChange());
  const outcomes: boolean[] = [];
  const change = (passwords = CHANGE) =>
    act(async () => void outcomes.push(await result.current.change(passwords)));
  await change();
  expect(result.current.refusal?.code).toBe("CONNECTION_LOST");
  await change({ ...CHANGE, newPassword: "another-Harbor-9" });
  await change({ ...CHANGE, newPassword: "another-Harbor-9" });
  await change();
  await change();
  expect(outcomes).toEqual([false, false, true, false, true]);
  const [first, second, again, refused, last] = keys;
  expect(again).toBe(second);
  expect(new Set([first, second, refused, last]).size).toBe(4);
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("Harbor");
});
