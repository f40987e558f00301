/** Finding e-mails with commas, and people whose search keys were written by an earlier version. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
});

const pageOf = (search: string, numItems: number, cursor: string | null) =>
  root.as.query(api.admin.users.list, { search, paginationOpts: { numItems, cursor } });

const found = async (search: string) => {
  const { page } = await pageOf(search, 10, null);
  return page.map(({ email }) => email);
};

test("whoever is found by several words is listed once, also where each is on another page", async () => {
  const { email } = await person(t, "zoe@bank.example", { name: "Ann Anna Annabel" });
  const listed: string[] = [];
  let next = await pageOf("ann", 1, null);
  for (;;) {
    listed.push(...next.page.map((row) => row.email));
    if (next.isDone) break;
    next = await pageOf("ann", 1, next.continueCursor);
  }
  expect(listed).toEqual([email]);
});

test("an e-mail with a comma is found by any beginning of it", async () => {
  const { email } = await person(t, "lee,abel@bank.example", { name: "Zoe" });
  for (const search of ["lee", "lee,", "LEE,A", email]) {
    expect(await found(search), search).toEqual([email]);
  }
});

test.each([
  ["Diaz, Maria", ["diaz, maria", "maria"], "diaz"],
  ["Li Li", ["li", "li li"], "li"],
  ["Ann Abel", ["abel", "ann abel"], "abel"],
  ["Zoe", ["zoe,lee@bank.example", "zoe"], "zoe"],
])("%s with the keys %j is found by %s", async (name, keys, search) => {
  const { userId } = await person(t, "zoe,lee@bank.example", { name });
  await t.run(async (ctx) => {
    const ofNow = ctx.db
      .query("userSearchKeys")
      .withIndex("by_userId", (q) => q.eq("userId", userId));
    for (const { _id } of await ofNow.take(20)) await ctx.db.delete("userSearchKeys", _id);
    for (const key of keys) {
      await ctx.db.insert("userSearchKeys", { userId, key, status: "approved" });
    }
  });
  expect(await found(search)).toEqual(["zoe,lee@bank.example"]);
});
