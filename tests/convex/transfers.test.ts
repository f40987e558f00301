import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import {
  balancesOf,
  bellOf,
  countOf,
  expectRefusal,
  expectSoundLedger,
  freshKey,
  internal,
  international,
  rowsOf,
  submit,
  toUser,
} from "./moneySupport";
import { newBackend, person, refusalOf, snapshot, type Backend, type Person } from "./support";

let t: Backend;
let ada: Person;
let ben: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { name: "Ada Ode", checkingCents: 10_000n });
  ben = await person(t, "ben@bank.example", { checkingCents: 500n });
});

describe("between own accounts", () => {
  test("moves the money, writes both rows, notifies, counts once and returns a receipt", async () => {
    const receipt = await submit(ada, internal({ amountCents: 2_500n, reference: " rent " }));
    expect(receipt).toMatchObject({
      transferType: "internal",
      amountCents: 2_500n,
      fromAccount: "Checking",
      toLabel: "Savings",
      reference: "rent",
      availableCents: 7_500n,
    });
    expect(await balancesOf(t, ada)).toEqual([7_500n, 2_500n]);
    expect((await rowsOf(ada)).sort()).toEqual([
      "Checking debit 2500 Transfer to Savings Transfer Completed",
      "Savings credit 2500 Transfer from Checking Transfer Completed",
    ]);
    expect(await countOf(t, ada)).toBe(1);
    expect(await ada.as.query(api.transfers.usage, {})).toEqual({ used: 1, limit: 2 });
    const { transferId } = receipt;
    expect(await ada.as.query(api.transfers.receipt, { transferId })).toEqual(receipt);
    expect(await bellOf(ada)).toEqual(["$25.00 moved from Checking to Savings."]);
    await expectSoundLedger(t);
  });

  test("writes the count under its three names", async () => {
    await submit(ada, internal());
    const user = await t.run((ctx) => ctx.db.get("users", ada.userId));
    expect(user).toMatchObject({ transferCount: 1, transfers: 1, transfer_count: 1 });
  });

  test.each([
    ["a blank reference", { reference: "  " }, "FILL_ALL_FIELDS"],
    ["no target", { toAccount: undefined }, "FILL_ALL_FIELDS"],
    ["the same account", { toAccount: "Checking" }, "SAME_ACCOUNT"],
    ["a hidden direction mark", { reference: "a\u202eb" }, "INVALID_TEXT"],
    ["a novel", { reference: "x".repeat(100_000) }, "INVALID_TEXT"],
    ["zero", { amountCents: 0n }, "INVALID_AMOUNT"],
    ["a negative amount", { amountCents: -1n }, "INVALID_AMOUNT"],
    ["an amount beyond the bound", { amountCents: 10n ** 13n }, "INVALID_AMOUNT"],
    ["one cent too much", { amountCents: 10_001n }, "INSUFFICIENT_FUNDS"],
    ["an empty request key", { requestKey: "" }, "INVALID_TEXT"],
    ["the external type", { transferType: "external" }, "INVALID_TRANSFER_TYPE"],
  ] as const)("refuses %s and writes nothing", async (_what, changes, code) => {
    await expectRefusal(t, () => submit(ada, internal(changes)), code);
  });

  test("the whole balance may be transferred, to the last cent", async () => {
    await submit(ada, internal({ amountCents: 10_000n }));
    expect(await balancesOf(t, ada)).toEqual([0n, 10_000n]);
    await expectSoundLedger(t);
  });

  test("someone without accounts is told which account is missing", async () => {
    const dan = await person(t, "dan@bank.example");
    await t.run(async (ctx) => {
      const accounts = await ctx.db
        .query("accounts")
        .withIndex("by_userId_and_type", (q) => q.eq("userId", dan.userId))
        .take(2);
      for (const account of accounts) await ctx.db.delete("accounts", account._id);
    });
    await expectRefusal(t, () => submit(dan, internal()), "SOURCE_ACCOUNT_NOT_FOUND");
  });
});

describe("to another person here", () => {
  test("credits the recipient's Checking account and notifies both in the same mutation", async () => {
    const receipt = await submit(ada, toUser(" BEN@Bank.Example "));
    expect(receipt.toLabel).toBe("ben");
    expect(await balancesOf(t, ada)).toEqual([9_000n, 0n]);
    expect(await balancesOf(t, ben)).toEqual([1_500n, 0n]);
    expect(await rowsOf(ada)).toEqual(["Checking debit 1000 Transfer to ben Transfer Completed"]);
    expect(await rowsOf(ben)).toEqual([
      "Checking credit 1000 Transfer from Ada Ode Transfer Completed",
    ]);
    expect(await countOf(t, ben)).toBe(0);
    expect(await bellOf(ada)).toEqual(["$10.00 sent to ben from Checking."]);
    expect(await bellOf(ben)).toEqual(["$10.00 received from Ada Ode."]);
    await expectSoundLedger(t);
  });

  test.each([
    "ada@bank.example",
    " ADA@BANK.EXAMPLE ",
    "ａda@bank.example",
    "a\u200bda@bank.example",
  ])("refuses the own address written as %j", async (recipientEmail) => {
    await expectRefusal(t, () => submit(ada, toUser(recipientEmail)), "OWN_ACCOUNT");
  });

  test.each([
    ["nobody's address", "nobody@bank.example", {}, "RECIPIENT_NOT_FOUND"],
    ["no address", "", {}, "FILL_ALL_FIELDS"],
    ["no address at all", "ben", {}, "INVALID_EMAIL"],
    ["too much before a bad address", "ben", { amountCents: 10_001n }, "INSUFFICIENT_FUNDS"],
    ["zero before too much", "ben", { amountCents: 0n }, "INVALID_AMOUNT"],
  ] as const)("refuses %s", async (_what, recipientEmail, changes, code) => {
    await expectRefusal(t, () => submit(ada, toUser(recipientEmail, changes)), code);
  });

  test("what is held cannot be sent, and the refusal does not tell whether anybody is there", async () => {
    const [account] = await ada.as.query(api.accounts.listMine, {});
    const held = { holdCents: 9_500n, availableCents: 500n };
    await t.run((ctx) => ctx.db.patch("accounts", account!._id, held));
    for (const email of [ben.email, "nobody@bank.example"]) {
      await expectRefusal(t, () => submit(ada, toUser(email)), "INSUFFICIENT_FUNDS");
    }
  });

  test("an applicant cannot receive money", async () => {
    await person(t, "lena@bank.example", { role: "pending", status: "pending" });
    await expectRefusal(t, () => submit(ada, toUser("lena@bank.example")), "RECIPIENT_NOT_FOUND");
  });
});

describe("international", () => {
  test("debits the source against the clearing account and stores the details", async () => {
    const receipt = await submit(ada, international({ iban: "de89 3704" }));
    expect(receipt).toMatchObject({ toLabel: "Ilse Ahn, Nordbank", availableCents: 9_000n });
    expect(await rowsOf(ada)).toEqual([
      "Checking debit 1000 Transfer to Nordbank - Ilse Ahn Transfer Completed",
    ]);
    const stored = await t.run((ctx) => ctx.db.get("transfers", receipt.transferId));
    expect(stored).toMatchObject({
      swiftCode: "DEUTDEFF",
      accountNumber: "DE12345678",
      iban: "DE893704",
      country: "DE",
      currency: "EUR",
    });
    await expectSoundLedger(t);
  });

  test.each([
    ["a missing bank", { bankName: " " }, "FILL_ALL_FIELDS"],
    ["a SWIFT code of 7", { swiftCode: "DEUTDEF" }, "INVALID_SWIFT"],
    ["a SWIFT code of 12", { swiftCode: "DEUTDEFF1234" }, "INVALID_SWIFT"],
    ["an account of 7", { accountNumber: "123 4567" }, "INVALID_INTERNATIONAL_ACCOUNT_NUMBER"],
    ["an account of 35", { accountNumber: "1".repeat(35) }, "INVALID_INTERNATIONAL_ACCOUNT_NUMBER"],
    ["an unknown country", { country: "ZZ" }, "INVALID_COUNTRY"],
    ["an unknown currency", { currency: "XYZ" }, "INVALID_CURRENCY"],
    ["zero", { amountCents: 0n }, "INVALID_AMOUNT"],
    ["a negative amount", { amountCents: -1n }, "INVALID_AMOUNT"],
    ["too much", { amountCents: 10_001n }, "INSUFFICIENT_FUNDS"],
  ] as const)("refuses %s and writes nothing", async (_what, changes, code) => {
    await expectRefusal(t, () => submit(ada, international(changes)), code);
  });
});

describe("the gate", () => {
  test("refuses the third transfer of any type and changes nothing", async () => {
    await submit(ada, internal());
    await submit(ada, toUser("ben@bank.example"));
    await expectRefusal(t, () => submit(ada, internal()), "TRANSFER_BLOCKED");
    await expectRefusal(t, () => submit(ada, toUser("ben@bank.example")), "TRANSFER_BLOCKED");
    await expectRefusal(t, () => submit(ada, international()), "TRANSFER_BLOCKED");
    await expectSoundLedger(t);
  });

  test("is checked after required fields and before the amount", async () => {
    await t.run((ctx) => ctx.db.patch("users", ada.userId, { transfers: 2 }));
    await expectRefusal(t, () => submit(ada, internal({ reference: "" })), "FILL_ALL_FIELDS");
    await expectRefusal(t, () => submit(ada, internal({ amountCents: 0n })), "TRANSFER_BLOCKED");
  });

  test.each(["transferCount", "transfers", "transfer_count"] as const)(
    "reads an old count from %s",
    async (name) => {
      await t.run((ctx) => ctx.db.patch("users", ada.userId, { [name]: 2 }));
      expect(await refusalOf(submit(ada, internal()))).toBe("TRANSFER_BLOCKED");
    },
  );

  test("a refused transfer does not count", async () => {
    await refusalOf(submit(ada, internal({ amountCents: 10_001n })));
    expect(await countOf(t, ada)).toBe(0);
  });

  test("the protected account is not counted, but sends no international transfers", async () => {
    const vip = await person(t, "vip@bank.example", { checkingCents: 10_000n });
    for (let index = 0; index < 3; index++) await submit(vip, internal());
    expect(await countOf(t, vip)).toBe(0);
    expect(await vip.as.query(api.transfers.usage, {})).toEqual({ used: 0, limit: null });
    await expectRefusal(t, () => submit(vip, international()), "ACTIVITY_ALERT");
    await expectSoundLedger(t);
  });

  test("a restriction stops transfers out of the credit union until it is lifted or expires", async () => {
    const restrict = (expiresAt: number, liftedAt?: number) =>
      t.run((ctx) =>
        ctx.db.insert("restrictions", {
          userId: ada.userId,
          reason: "lost papers",
          setBy: "root",
          setAt: Date.now(),
          expiresAt,
          ...(liftedAt === undefined ? {} : { liftedAt }),
        }),
      );
    let expiresAt = Date.now() + 60_000;
    await restrict(expiresAt);
    await expectRefusal(t, () => submit(ada, international()), "ACCOUNT_LOCKED");
    const usage = () => ada.as.query(api.transfers.usage, {});
    expect(await usage()).toEqual({ used: 0, limit: 2, restriction: { expiresAt } });
    await submit(ada, internal());
    onTestFinished(() => void vi.useRealTimers());
    // To the millisecond.
    vi.useFakeTimers({ toFake: ["Date"], now: expiresAt });
    await submit(ada, international());
    expiresAt += 60_000;
    await restrict(expiresAt, Date.now());
    expect(await usage()).toEqual({ used: 2, limit: 2 });
  });
});

describe("exactly once", () => {
  test("the same key returns the same receipt, even when the gate has closed since", async () => {
    const args = internal();
    const first = await submit(ada, args);
    await submit(ada, internal());
    const before = await snapshot(t);
    expect(await submit(ada, args)).toEqual(first);
    expect(await snapshot(t)).toBe(before);
  });

  test("the same key with another payload is refused", async () => {
    const args = internal();
    await submit(ada, args);
    const other = { ...args, amountCents: 1_001n };
    await expectRefusal(t, () => submit(ada, other), "REQUEST_KEY_REUSED");
    const otherKind = toUser("ben@bank.example", { requestKey: args.requestKey });
    await expectRefusal(t, () => submit(ada, otherKind), "REQUEST_KEY_REUSED");
  });

  test("two people may use the same key", async () => {
    const requestKey = freshKey();
    await submit(ada, internal({ requestKey }));
    await submit(ben, internal({ requestKey, amountCents: 100n }));
    expect(await balancesOf(t, ben)).toEqual([400n, 100n]);
  });
});

describe("finding a recipient", () => {
  const find = (email: string) => ada.as.mutation(api.transfers.findRecipient, { email });

  test("returns only the name, or the e-mail of a person without a name", async () => {
    for (const name of [undefined, "", " "]) {
      await t.run((ctx) => ctx.db.patch("users", ben.userId, { name }));
      expect(await find(" BEN@bank.example ")).toEqual({ name: "ben@bank.example" });
    }
    await t.run((ctx) => ctx.db.patch("users", ben.userId, { name: "Ben Bow" }));
    expect(await find("ben@bank.example")).toEqual({ name: "Ben Bow" });
  });

  test("refuses one's own address and an invalid address without counting", async () => {
    await expectRefusal(t, () => find("Ada@bank.example"), "OWN_ACCOUNT");
    await expectRefusal(t, () => find("ben@bank"), "INVALID_EMAIL");
  });

  test("look-ups that find nobody count, too: the eleventh in a minute is refused", async () => {
    for (let index = 0; index < 10; index++) {
      expect(await find(`nobody${index}@bank.example`)).toEqual({
        ok: false,
        code: "RECIPIENT_NOT_FOUND",
        message: "Recipient not found",
      });
    }
    expect(await refusalOf(find("ben@bank.example"))).toBe("RATE_LIMITED");
    expect(await ben.as.mutation(api.transfers.findRecipient, { email: ada.email })).toEqual({
      name: "Ada Ode",
    });
  });
});
