/** A one-time password of somebody who never gets a code step: whoever waits for a decision, or was rejected. */
import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { clientOf, enter, stubAuthKeys } from "./authKeys";
import { newReview, reviewSteps, type Review } from "./registrationSupport";
import { addCodes, refusalOf } from "./support";

let t: Review["t"];
let root: Review["root"];
let lena: Review["lena"];

beforeEach(async () => {
  ({ t, root, lena } = await newReview());
  await stubAuthKeys();
});

const { tickAll, approve, reject } = reviewSteps(() => ({ t, root, lena }));
const OWN = "one of Lena's own";

/** Gives Lena a one-time password, and signs in with it. */
async function enterWithGiven() {
  const { userId } = lena;
  const { password } = await root.as.action(api.admin.users.resetPassword, { userId, reason: "x" });
  return { password, client: clientOf(t, await enter(t, "signIn", lena.email, password)) };
}

describe("a one-time password of an applicant", () => {
  test.each([
    ["who waits", "pending"],
    ["who was rejected", "rejected"],
  ])("%s comes before the status page, and staff know it no longer", async (_who, place) => {
    if (place === "rejected") await reject(lena.userId);
    const { password, client } = await enterWithGiven();
    expect(await client.query(api.viewer.get, {})).toMatchObject({
      place: "mustChangePassword",
      home: "/login",
      isSecondFactorPassed: false,
    });
    const mine = () => client.query(api.registrations.mine, {});
    expect(await refusalOf(mine())).toBe("PASSWORD_CHANGE_REQUIRED");
    const wrong = { currentPassword: "guessed", newPassword: OWN };
    expect(await refusalOf(client.action(api.profile.changePassword, wrong))).toBe(
      "CURRENT_PASSWORD_WRONG",
    );
    await client.action(api.profile.changePassword, {
      currentPassword: password,
      newPassword: OWN,
    });
    expect(await client.query(api.viewer.get, {})).toMatchObject({
      place,
      home: "/pending-approval",
    });
    expect(await mine()).toMatchObject({ status: place });
    expect(await refusalOf(enter(t, "signIn", lena.email, password))).toBe("INVALID_CREDENTIALS");
    await enter(t, "signIn", lena.email, OWN);
    const events = await t.run((ctx) => ctx.db.query("securityEvents").order("desc").take(1));
    expect(events).toMatchObject([{ userId: lena.userId, kind: "passwordChanged" }]);
  });

  test("is changed once: without one that is due, no applicant changes a password", async () => {
    const { password, client } = await enterWithGiven();
    const change = { currentPassword: password, newPassword: OWN };
    await client.action(api.profile.changePassword, change);
    const again = { currentPassword: OWN, newPassword: "another of Lena's own" };
    expect(await refusalOf(client.action(api.profile.changePassword, again))).toBe("NOT_APPROVED");
  });

  test("needs the code like any other, once the applicant is approved", async () => {
    const { password, client } = await enterWithGiven();
    await tickAll(lena.userId);
    await approve(lena.userId);
    const change = { currentPassword: password, newPassword: OWN };
    expect(await refusalOf(client.action(api.profile.changePassword, change))).toBe("OTP_REQUIRED");
    await addCodes(t, "111111");
    await client.mutation(api.otp.verifyLogin, { code: "111111" });
    await client.action(api.profile.changePassword, change);
    expect(await client.query(api.viewer.get, {})).toMatchObject({ place: "member" });
  });

  test("does not keep staff from asking for information, which waits behind it", async () => {
    const { password, client } = await enterWithGiven();
    const asked = { userId: lena.userId, text: "Which street?" };
    await root.as.mutation(api.admin.registrations.requestInformation, asked);
    const request = await t.run((ctx) => ctx.db.query("infoRequests").first());
    const requestId = request?._id as Id<"infoRequests">;
    const answer = () =>
      client.mutation(api.registrations.answerInformation, { requestId, answer: "Elm Street" });
    expect(await refusalOf(answer())).toBe("PASSWORD_CHANGE_REQUIRED");
    await client.action(api.profile.changePassword, {
      currentPassword: password,
      newPassword: OWN,
    });
    await answer();
  });
});
