import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../convex/_generated/api";
import { admin, newBackend, refusalOf, snapshot, type Backend } from "./support";

let t: Backend;

beforeEach(() => {
  t = newBackend();
});

describe("contact messages", () => {
  const MESSAGE = {
    name: "Zoe",
    email: "zoe@mail.example",
    subject: "general" as const,
    message: "Hello\nthere",
    preferredContact: "email" as const,
  };

  test("come a hundred at a time, however many are asked for", async () => {
    await t.run(async (ctx) => {
      for (let n = 0; n < 101; n++) {
        const stored = { reference: `C-${n}`, createdAt: n, isHandled: false };
        await ctx.db.insert("contactMessages", { ...MESSAGE, ...stored });
      }
    });
    const { as: office } = await admin(t);
    const args = { paginationOpts: { numItems: 1_000, cursor: null } };
    const { page, isDone } = await office.query(api.admin.inbox.page, args);
    expect([page.length, isDone]).toEqual([100, false]);
    // However few, a page brings the reader on.
    for (const numItems of [0, -1, 0.5]) {
      const fewest = { paginationOpts: { numItems, cursor: null } };
      expect((await office.query(api.admin.inbox.page, fewest)).page).toHaveLength(1);
    }
  });

  test("are stored once per request key, and a key belongs to one message", async () => {
    const keyed = { ...MESSAGE, requestKey: "key-1" };
    const { reference } = await t.mutation(api.contact.send, keyed);
    for (let count = 0; count < 6; count++) {
      expect(await t.mutation(api.contact.send, keyed)).toEqual({ reference });
    }
    expect(await refusalOf(t.mutation(api.contact.send, { ...keyed, message: "Else" }))).toBe(
      "REQUEST_KEY_REUSED",
    );
    expect(await refusalOf(t.mutation(api.contact.send, { ...keyed, requestKey: "" }))).toBe(
      "INVALID_TEXT",
    );
    const another = await t.mutation(api.contact.send, { ...keyed, requestKey: "key-2" });
    expect(another.reference).not.toBe(reference);
    const { as: office } = await admin(t);
    const args = { paginationOpts: { numItems: 10, cursor: null } };
    const { page } = await office.query(api.admin.inbox.page, args);
    expect(page.map((message) => message.reference)).toEqual([another.reference, reference]);
    expect(page.some((message) => "requestKey" in message)).toBe(false);
  });

  test("are stored under a reference and shown to administrators, who handle them", async () => {
    const root = await admin(t);
    const { reference } = await t.mutation(api.contact.send, MESSAGE);
    expect(reference).toMatch(/^C-[2-9A-Z]{8}$/u);
    const page = async () => {
      const paginationOpts = { numItems: 5, cursor: null };
      return (await root.as.query(api.admin.inbox.page, { paginationOpts })).page;
    };
    const [message] = await page();
    expect(message).toMatchObject({ reference, message: "Hello\nthere", isHandled: false });
    if (message === undefined) throw new Error("No message");
    const handled = { messageId: message._id, isHandled: true };
    await root.as.mutation(api.admin.inbox.setHandled, handled);
    expect(await page()).toMatchObject([{ isHandled: true, handledBy: root.email }]);
    // From a page that had not heard of it.
    const second = await admin(t, "second@bank.example");
    const before = await snapshot(t);
    await second.as.mutation(api.admin.inbox.setHandled, handled);
    expect(await snapshot(t)).toBe(before);
    await root.as.mutation(api.admin.inbox.setHandled, { ...handled, isHandled: false });
    expect(await page()).toEqual([message]);
  });

  test("are found by what is typed of their reference; the open ones can be listed alone", async () => {
    const root = await admin(t);
    await t.run(async (ctx) => {
      const stored = { ...MESSAGE, createdAt: 1 };
      for (const [reference, isHandled] of [
        ["C-7K9M2PQR", false],
        ["C-7KZZZZZZ", true],
        ["C-CK9M2PQR", false],
      ] as const) {
        await ctx.db.insert("contactMessages", { ...stored, reference, isHandled });
      }
    });
    const found = async (filter: { reference?: string; isHandled?: boolean }) => {
      const args = { ...filter, paginationOpts: { numItems: 5, cursor: null } };
      const { page } = await root.as.query(api.admin.inbox.page, args);
      return page.map(({ reference }) => reference);
    };
    const all = ["C-CK9M2PQR", "C-7KZZZZZZ", "C-7K9M2PQR"];
    for (const typed of ["C-7K9M2PQR", "c7k9m2pqr", " 7K9M 2PQR", "c 7k9m", "C-7k9\u200b"]) {
      expect([typed, await found({ reference: typed })]).toEqual([typed, ["C-7K9M2PQR"]]);
    }
    expect(await found({ reference: "7k", isHandled: false })).toEqual([
      "C-7K9M2PQR",
      "C-7KZZZZZZ",
    ]);
    expect(await found({ reference: "CK9M2PQR" })).toEqual(["C-CK9M2PQR"]);
    expect(await found({ reference: "C-" })).toHaveLength(3);
    expect(await found({ reference: "C-8" })).toEqual([]);
    expect(await found({ reference: " " })).toEqual(all);
    expect(await found({ isHandled: false })).toEqual(["C-CK9M2PQR", "C-7K9M2PQR"]);
    expect(await found({ isHandled: true })).toEqual(["C-7KZZZZZZ"]);
    expect(await found({})).toEqual(all);
  });

  test("are refused in the order of the form", async () => {
    const cases = [
      [{ name: " ", email: "x", message: "a\u0000" }, "FILL_REQUIRED_FIELDS"],
      [{ message: "" }, "FILL_REQUIRED_FIELDS"],
      [{ email: "x", message: "a\u0000" }, "INVALID_EMAIL"],
      [{ email: "a\u0007@b.c" }, "INVALID_EMAIL"],
      [{ message: "x".repeat(100_000) }, "INVALID_TEXT"],
    ] as const;
    for (const [fields, code] of cases) {
      expect(await refusalOf(t.mutation(api.contact.send, { ...MESSAGE, ...fields }))).toBe(code);
    }
  });

  test("are limited by e-mail, in any spelling", async () => {
    for (let count = 0; count < 5; count++) await t.mutation(api.contact.send, MESSAGE);
    const otherwise = { ...MESSAGE, email: MESSAGE.email.toUpperCase() };
    expect(await refusalOf(t.mutation(api.contact.send, otherwise))).toBe("RATE_LIMITED");
  });
});
