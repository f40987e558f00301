/** Hash chains of security events and audit entries: the check finds changed, removed and inserted ones. */
import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Doc } from "../../convex/_generated/dataModel";
import { ledgerProblems } from "./moneySupport";
import { admin, newBackend, person, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let ben: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example");
  ben = await person(t, "ben@bank.example");
  root = await admin(t);
  for (const { userId } of [ada, ben, ada, ada]) {
    const reason = "A call that was not theirs";
    await root.as.mutation(api.admin.restrictions.set, { userId, reason });
  }
});

const eventsOf = ({ userId }: Person): Promise<Doc<"securityEvents">[]> =>
  t.run((ctx) =>
    ctx.db
      .query("securityEvents")
      .withIndex("by_userId_and_seq", (q) => q.eq("userId", userId))
      .take(10),
  );
const entries = () => t.run((ctx) => ctx.db.query("auditLog").take(10));

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error("there are fewer");
  return found;
}

describe("a chain", () => {
  test("is numbered per person, and valid when only the product wrote it", async () => {
    expect((await eventsOf(ada)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect((await eventsOf(ben)).map(({ seq }) => seq)).toEqual([1]);
    expect((await entries()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(await ledgerProblems(t)).toEqual([]);
  });

  test.each([0, 1, 2])("detects a change of event %i", async (index) => {
    const { _id } = at(await eventsOf(ada), index);
    await t.run((ctx) => ctx.db.patch("securityEvents", _id, { text: "Nothing happened." }));
    expect(await ledgerProblems(t)).toEqual([
      expect.stringContaining(`security event ${_id} is not what was written`),
    ]);
  });

  test("detects an event without a number that is newer than the chain", async () => {
    const forged = await t.run((ctx) =>
      ctx.db.insert("securityEvents", {
        userId: ada.userId,
        kind: "signIn",
        text: "Signed in.",
        at: 1,
      }),
    );
    expect(await ledgerProblems(t)).toEqual([
      `security event ${forged} has no number, but is younger than its chain`,
    ]);
  });

  test("detects an event that was removed or unlinked from its chain", async () => {
    const [, second, third] = await eventsOf(ada);
    if (second === undefined || third === undefined) throw new Error("there are fewer");
    const missing = [`security event ${third._id} has not one entry before it`];
    await t.run((ctx) =>
      ctx.db.patch("securityEvents", second._id, { seq: undefined, hash: undefined }),
    );
    const loose = `security event ${second._id} has no number, but is younger than its chain`;
    expect(await ledgerProblems(t)).toEqual([loose, ...missing]);
    await t.run((ctx) => ctx.db.delete("securityEvents", second._id));
    expect(await ledgerProblems(t)).toEqual(missing);
  });

  test("detects an audit entry that was changed, removed or inserted", async () => {
    const [first, second, third] = await entries();
    if (first === undefined || second === undefined || third === undefined) {
      throw new Error("there are fewer");
    }
    await t.run((ctx) => ctx.db.patch("auditLog", first._id, { reason: "Another one" }));
    expect(await ledgerProblems(t)).toEqual([
      expect.stringContaining(`audit entry ${first._id} is not what was written`),
    ]);
    const { _id, _creationTime, ...fields } = second;
    await t.run(async (ctx) => {
      await ctx.db.patch("auditLog", first._id, { reason: first.reason });
      await ctx.db.insert("auditLog", fields);
    });
    const missing = [`audit entry ${third._id} has not one entry before it`];
    expect(await ledgerProblems(t)).toEqual(missing);
  });

  test("starts after entries that are older than the chains", async () => {
    const { userId } = root;
    await t.run((ctx) =>
      ctx.db.insert("securityEvents", { userId, kind: "signIn", text: "Signed in.", at: 1 }),
    );
    await root.as.mutation(api.profile.updateContact, {
      phone: "(555) 010-0140",
      address: { street: "1", city: "2", state: "3", postalCode: "4" },
    });
    expect((await eventsOf(root)).map(({ seq }) => seq)).toEqual([undefined, 1]);
    expect(await ledgerProblems(t)).toEqual([]);
  });
});
