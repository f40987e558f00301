/** One-time codes that work once per member: how many are left, who is warned, which must not be removed. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { api, internal } from "../../convex/_generated/api";
import {
  addCodes,
  admin,
  newBackend,
  person,
  refusalOf,
  signedIn,
  type Backend,
  type Person,
} from "./support";

const CODES = ["111111", "222222", "333333", "444444", "555555"];
const FEW = "One-time codes are running out";

let t: Backend;
let root: Person;
let ada: Person;

beforeEach(async () => {
  t = newBackend();
  await addCodes(t, ...CODES);
  root = await admin(t);
  ada = await person(t, "ada@bank.example");
});

const setReuse = (value: "oncePerMember" | "oncePerSession") =>
  root.as.mutation(api.admin.policies.set, { key: "otpReuse", value: JSON.stringify(value) });
const left = async () => (await root.as.query(api.admin.otpCodes.summary, {})).left;

/** Signs in once with each of the codes. */
async function spend(who: Person, ...codes: string[]) {
  for (const code of codes) {
    const { as } = await signedIn(t, who.userId, false);
    expect(await as.mutation(api.otp.verifyLogin, { code })).toMatchObject({ ok: true });
  }
}

const warnings = async (who: Person) =>
  (await who.as.query(api.notifications.mine, {}))
    .filter(({ title }) => title === FEW)
    .map(({ body }) => /not used yet: (\d+)\..*(support team|Manage OTPs)/.exec(body)?.slice(1));

describe("the number of unused codes", () => {
  test("is counted for the administrator and for everybody", async () => {
    await spend(ada, "111111");
    expect(await left()).toBeNull();
    await setReuse("oncePerMember");
    expect(await left()).toEqual({ own: 5, everybody: 5 });
    await spend(ada, "111111", "222222");
    await spend(root, "222222");
    expect(await left()).toEqual({ own: 4, everybody: 3 });
    await root.as.mutation(api.admin.otpCodes.clearUsed, {});
    expect(await left()).toEqual({ own: 5, everybody: 5 });
  });

  test("does not change when the policy is set to its current value", async () => {
    await setReuse("oncePerMember");
    await spend(root, "111111");
    await setReuse("oncePerMember");
    await root.as.mutation(api.admin.policies.applyRecommended, {});
    expect(await left()).toEqual({ own: 4, everybody: 4 });
    const { as } = await signedIn(t, root.userId, false);
    const again = await as.mutation(api.otp.verifyLogin, { code: "111111" });
    expect(again).toMatchObject({ ok: false });
  });

  test("is notified from three codes on; administrators also read how to add some", async () => {
    await setReuse("oncePerMember");
    await spend(ada, ...CODES.slice(0, 4));
    expect(await warnings(ada)).toEqual([
      ["1", "support team"],
      ["2", "support team"],
      ["3", "support team"],
    ]);
    await spend(root, ...CODES.slice(0, 2));
    expect(await warnings(root)).toEqual([["3", "Manage OTPs"]]);
  });

  test("is not notified where every session may use every code", async () => {
    await spend(ada, ...CODES.slice(0, 4));
    expect(await warnings(ada)).toEqual([]);
  });
});

describe("removing codes", () => {
  async function remove(code: string) {
    const codes = await root.as.action(api.admin.otpCodes.list, {});
    const codeId = codes.find((each) => each.code === code)?._id;
    if (codeId === undefined) throw new Error(`${code} is not in the list`);
    return root.as.mutation(api.admin.otpCodes.remove, { codeId });
  }

  test("keeps at least one that the administrator can sign in with", async () => {
    await setReuse("oncePerMember");
    await spend(root, "111111", "222222", "333333");
    await remove("444444");
    expect(await refusalOf(remove("555555"))).toBe("OTP_CODES_USED_UP");
    await remove("111111");
    await root.as.mutation(api.admin.otpCodes.add, { code: "666666" });
    await remove("555555");
    await spend(root, "666666");
  });

  test("is refused for a code that was removed meanwhile", async () => {
    const [first] = await root.as.action(api.admin.otpCodes.list, {});
    const codeId = first!._id;
    await remove(first!.code);
    expect(await refusalOf(root.as.mutation(api.admin.otpCodes.remove, { codeId }))).toBe(
      "OTP_CODE_GONE",
    );
  });

  test("ignores earlier uses where every session may use every code", async () => {
    await spend(root, "111111");
    for (const code of CODES.slice(1)) await remove(code);
    await spend(root, "111111");
  });
});

test.each(["OTP_HMAC_KEY", "OTP_ENC_KEY"])("codes cannot be read with another %s", async (name) => {
  expect(await t.query(internal.dev.seed.areCodesReadable, {})).toBe(true);
  vi.stubEnv(name, "another-key-0123456789012");
  expect(await t.query(internal.dev.seed.areCodesReadable, {})).toBe(false);
});

test("codes that cannot be read are replaced by twenty new ones, and readable ones stay", async () => {
  expect(await t.mutation(internal.dev.seed.renewCodes, {})).toBeNull();
  const listed = async () =>
    (await root.as.action(api.admin.otpCodes.list, {})).map(({ code }) => code);
  expect(await listed()).toEqual(CODES);
  vi.stubEnv("OTP_HMAC_KEY", "another-key-0123456789012");
  vi.stubEnv("OTP_ENC_KEY", "another-key-0123456789012");
  const code = await t.mutation(internal.dev.seed.renewCodes, {});
  expect(await listed()).toHaveLength(20);
  expect(await listed()).toContain(code);
});
