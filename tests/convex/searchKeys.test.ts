/** People whose search keys were written by an earlier version are found, and only once. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
});

test.each([
  ["Diaz, Maria", ["diaz, maria", "maria"], "diaz"],
  ["Li Li", ["li", "li li"], "li"],
  ["Ann Abel", ["abel", "ann abel"], "abel"],
])("%s with the keys %j is found by %s", async (name, keys, search) => {
  const { userId } = await person(t, "zoe@bank.example", { name });
  await t.run(async (ctx) => {
    const ofNow = ctx.db
      .query("userSearchKeys")
      .withIndex("by_userId", (q) => q.eq("userId", userId));
    for (const { _id } of await ofNow.take(20)) await ctx.db.delete("userSearchKeys", _id);
    for (const key of keys) {
      await ctx.db.insert("userSearchKeys", { userId, key, status: "approved" });
    }
  });
  const paginationOpts = { numItems: 10, cursor: null };
  const { page } = await root.as.query(api.admin.users.list, { search, paginationOpts });
  expect(page.map(({ email }) => email)).toEqual(["zoe@bank.example"]);
});
