/** A creation whose answer was lost, and which the administrator's page asks for again. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { clientOf, enter, stubAuthKeys } from "./authKeys";
import {
  addCodes,
  admin,
  newBackend,
  newUser,
  refusalOf,
  snapshot,
  type Backend,
  type Person,
} from "./support";

const JUNE = newUser({ requestKey: "k1", role: "user" });

let t: Backend;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  await stubAuthKeys();
});

const create = (changes: Partial<typeof JUNE> = {}, by = root) =>
  by.as.action(api.admin.users.create, { ...JUNE, ...changes });

test("the same key is answered as before, and creates nobody", async () => {
  const first = await create();
  const before = await snapshot(t);
  expect(before).toContain('"k1"');
  expect(before).not.toContain(JUNE.password);
  expect(await create()).toEqual(first);
  expect(await create({ name: ` ${JUNE.name} ` })).toEqual(first);
  expect(await snapshot(t)).toBe(before);
});

test("two calls with one key that meet create one person", async () => {
  const [one, other] = await Promise.all([create(), create()]);
  expect(other).toEqual(one);
  const paginationOpts = { numItems: 10, cursor: null };
  const { page } = await root.as.query(api.admin.users.list, { search: "june", paginationOpts });
  expect(page).toHaveLength(1);
});

test("a key is good for one person and one administrator; without one, the e-mail is taken", async () => {
  await create();
  const reused = { phone: "(555) 010-0131" };
  expect(await refusalOf(create(reused))).toBe("REQUEST_KEY_REUSED");
  expect(await refusalOf(create({ password: "quite another one" }))).toBe("REQUEST_KEY_REUSED");
  expect(await refusalOf(create({ requestKey: "" }))).toBe("INVALID_TEXT");
  expect(await refusalOf(create({ requestKey: "k2" }))).toBe("EMAIL_TAKEN");
  const { requestKey: _none, ...keyless } = JUNE;
  expect(await refusalOf(root.as.action(api.admin.users.create, keyless))).toBe("EMAIL_TAKEN");
  const second = await admin(t, "second@bank.example");
  expect(await refusalOf(create({}, second))).toBe("EMAIL_TAKEN");
});

test("a refused creation leaves its key free", async () => {
  expect(await refusalOf(create({ password: "12345" }))).toBe("WEAK_PASSWORD");
  await create();
});

test("the password that the person has chosen since is not compared", async () => {
  await addCodes(t, "111111");
  const first = await create();
  const june = clientOf(t, await enter(t, "signIn", JUNE.email, JUNE.password));
  await june.mutation(api.otp.verifyLogin, { code: "111111" });
  const own = "my own long password";
  const change = { currentPassword: JUNE.password, newPassword: own };
  await june.action(api.profile.changePassword, change);
  expect(await create({ password: own })).toEqual(first);
  expect(await create({ password: "a guess of theirs" })).toEqual(first);
});
