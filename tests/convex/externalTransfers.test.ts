import { beforeEach, describe, expect, test, vi, afterEach } from "vitest";
import { api, internal as functions } from "../../convex/_generated/api";
import {
  balancesOf,
  countOf,
  expectRefusal,
  expectSoundLedger,
  external,
  internal,
  rowsOf,
  submit,
} from "./moneySupport";
import {
  addCodes,
  newBackend,
  person,
  refusalOf,
  signedIn,
  snapshot,
  type Backend,
  type Person,
} from "./support";

const DAY_MS = 86_400_000;

let t: Backend;
let ada: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  await addCodes(t, "204816", "319527");
});
afterEach(() => {
  vi.useRealTimers();
});

const start = (who: Person, changes = {}) =>
  who.as.mutation(api.transfers.startExternal, external(changes));
const confirm = (who: Pick<Person, "as">, pendingId: string, code = "204816") =>
  who.as.mutation(api.transfers.confirmExternal, { pendingId, code });

describe("a transfer to a US bank", () => {
  test("moves nothing at step 1 and everything at step 2", async () => {
    const { pendingId } = await start(ada);
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    expect(await countOf(t, ada)).toBe(0);
    expect(await confirm(ada, pendingId)).toMatchObject({
      transferType: "external",
      toLabel: "Ben Ode, Granite Bay Federal",
      availableCents: 9_000n,
    });
    expect(await rowsOf(ada)).toEqual([
      "Checking debit 1000 Transfer to Granite Bay Federal - Ben Ode Transfer Completed",
    ]);
    expect(await countOf(t, ada)).toBe(1);
    await expectSoundLedger(t);
  });

  test("started in two sessions with one key moves money once", async () => {
    const other = await signedIn(t, ada.userId);
    const args = { ...external({}), requestKey: "one key" };
    const first = await ada.as.mutation(api.transfers.startExternal, args);
    const second = await other.as.mutation(api.transfers.startExternal, args);
    await expectRefusal(t, () => confirm(ada, first.pendingId), "STEP_EXPIRED");
    const receipt = await confirm(other, second.pendingId);
    // A repeated call returns the same receipt in either session.
    expect(await ada.as.mutation(api.transfers.startExternal, args)).toEqual({
      ...second,
      receipt,
    });
    expect(await balancesOf(t, ada)).toEqual([9_000n, 0n]);
  });

  test("of two steps with one key only the newer can be confirmed, even after the clock was set back", async () => {
    const other = await signedIn(t, ada.userId);
    const args = { ...external({}), requestKey: "one key" };
    const first = await ada.as.mutation(api.transfers.startExternal, args);
    const second = await other.as.mutation(api.transfers.startExternal, args);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 60_000 });
    await confirm(other, second.pendingId);
    await expectRefusal(t, () => confirm(ada, first.pendingId), "STEP_EXPIRED");
    expect(await balancesOf(t, ada)).toEqual([9_000n, 0n]);
  });

  test("confirmed again returns the same receipt and uses no code", async () => {
    const { pendingId } = await start(ada);
    const receipt = await confirm(ada, pendingId);
    const before = await snapshot(t);
    expect(await confirm(ada, pendingId, "319527")).toEqual(receipt);
    expect(await snapshot(t)).toBe(before);
  });

  test("a code works once per session", async () => {
    const first = await start(ada);
    await confirm(ada, first.pendingId);
    const second = await start(ada);
    expect(await confirm(ada, second.pendingId)).toMatchObject({ ok: false, code: "INVALID_OTP" });
    expect(await balancesOf(t, ada)).toEqual([9_000n, 0n]);
  });

  test("a wrong code is refused and counted, and moves nothing", async () => {
    const { pendingId } = await start(ada);
    expect(await confirm(ada, pendingId, "111111")).toMatchObject({ ok: false });
    const attempts = await t.run((ctx) => ctx.db.query("otpSessionAttempts").take(5));
    expect(attempts.map((row) => row.wrong)).toEqual([1]);
    expect(await balancesOf(t, ada)).toEqual([10_000n, 0n]);
    expect(await confirm(ada, pendingId)).toMatchObject({ transferType: "external" });
  });

  test("an empty code is refused without being counted", async () => {
    const { pendingId } = await start(ada);
    for (const code of ["", " ", "\u200b"]) {
      await expectRefusal(t, () => confirm(ada, pendingId, code), "OTP_EMPTY");
      // Shape comes before ownership.
      await expectRefusal(t, () => confirm(ada, "nothing", code), "OTP_EMPTY");
    }
  });

  test.each([
    ["7 digits", { accountNumber: "1234567" }, "INVALID_EXTERNAL_ACCOUNT_NUMBER"],
    ["letters", { accountNumber: "12345678a" }, "INVALID_EXTERNAL_ACCOUNT_NUMBER"],
    ["another routing number's length", { routingNumber: "99007091" }, "INVALID_ROUTING_NUMBER"],
    ["a bank that is not on the list", { toBank: "My Bank" }, "INVALID_BANK"],
    ["no holder", { accountName: "" }, "FILL_ALL_FIELDS"],
    ["zero", { amountCents: 0n }, "INVALID_AMOUNT"],
    ["one cent too much", { amountCents: 10_001n }, "INSUFFICIENT_FUNDS"],
  ] as const)("refuses %s at step 1", async (_what, changes, code) => {
    await expectRefusal(t, () => start(ada, changes), code);
  });
});

describe("the pending transfer between the two steps", () => {
  test("is nobody else's, executed or not", async () => {
    const ben = await person(t, "ben@bank.example");
    const { pendingId } = await start(ada);
    await expectRefusal(t, () => confirm(ben, pendingId), "NOT_FOUND");
    await confirm(ada, pendingId);
    await expectRefusal(t, () => confirm(ben, pendingId), "NOT_FOUND");
  });

  test("does not lapse for one that was executed", async () => {
    const oldest = await start(ada);
    await confirm(ada, (await start(ada)).pendingId);
    for (let waiting = 1; waiting < 5; waiting++) await start(ada);
    expect(await confirm(ada, oldest.pendingId, "319527")).toHaveProperty("transferId");
  });

  test("belongs to the session that made it", async () => {
    const { pendingId, expiresAt } = await start(ada);
    const elsewhere = await signedIn(t, ada.userId);
    await expectRefusal(t, () => confirm(elsewhere, pendingId), "NOT_FOUND");
    // Others do not even learn that it has expired.
    vi.useFakeTimers({ toFake: ["Date"], now: expiresAt });
    await expectRefusal(t, () => confirm(elsewhere, pendingId), "NOT_FOUND");
  });

  test("is not found with the id of another person, another table or nonsense", async () => {
    const ben = await person(t, "ben@bank.example");
    const { pendingId } = await start(ada);
    for (const id of [pendingId, ben.userId, "nonsense"]) {
      await expectRefusal(t, () => confirm(ben, id), "NOT_FOUND");
    }
  });

  test("expires after five minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const { pendingId, expiresAt } = await start(ada);
    vi.setSystemTime(expiresAt - 1);
    expect(await confirm(ada, pendingId, "111111")).toMatchObject({ code: "INVALID_OTP" });
    vi.setSystemTime(expiresAt);
    expect(await refusalOf(confirm(ada, pendingId))).toBe("STEP_EXPIRED");
  });

  test("counts the wrong codes: the answer to the one that ends the session says so", async () => {
    const { pendingId } = await start(ada);
    for (const attemptsLeft of [4, 3, 2, 1, 0]) {
      expect(await confirm(ada, pendingId, "111111")).toMatchObject({ ok: false, attemptsLeft });
    }
    expect(await refusalOf(confirm(ada, pendingId))).toBe("NOT_SIGNED_IN");
  });

  test("a sixth pending transfer expires the oldest", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) {
      ids.push((await start(ada)).pendingId);
      vi.setSystemTime(Date.now() + 1_000);
    }
    expect(await refusalOf(confirm(ada, ids[0] ?? ""))).toBe("STEP_EXPIRED");
    expect(await confirm(ada, ids[1] ?? "")).toMatchObject({ transferType: "external" });
  });

  test("one started again in another session does not count twice among the five", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const args = external();
    const startAgain = (who: Pick<Person, "as">) =>
      who.as.mutation(api.transfers.startExternal, args);
    const oldest = await start(ada);
    vi.setSystemTime(Date.now() + 1_000);
    await startAgain(ada);
    for (let waiting = 2; waiting < 5; waiting++) await start(ada);
    vi.setSystemTime(Date.now() + 1_000);
    await startAgain(await signedIn(t, ada.userId));
    // Nor does the one it replaced: five are waiting, and then a sixth.
    expect(await confirm(ada, oldest.pendingId, "111111")).toMatchObject({ code: "INVALID_OTP" });
    await start(ada);
    await expectRefusal(t, () => confirm(ada, oldest.pendingId), "STEP_EXPIRED");
  });

  test("the same key starts one transfer", async () => {
    const args = external();
    const first = await ada.as.mutation(api.transfers.startExternal, args);
    expect(await ada.as.mutation(api.transfers.startExternal, args)).toEqual(first);
    const other = { ...args, accountNumber: "87654321" };
    await expectRefusal(
      t,
      () => ada.as.mutation(api.transfers.startExternal, other),
      "REQUEST_KEY_REUSED",
    );
  });

  test("the same key starts another one where the first can no longer be confirmed", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const args = external();
    const again = (who: Pick<Person, "as">) => who.as.mutation(api.transfers.startExternal, args);
    const lapsed = await again(ada);
    vi.setSystemTime(lapsed.expiresAt);
    const elsewhere = await again(await signedIn(t, ada.userId));
    const here = await again(ada);
    expect(new Set([lapsed.pendingId, elsewhere.pendingId, here.pendingId]).size).toBe(3);
    const receipt = await confirm(ada, here.pendingId);
    // Once executed, the key always returns this transfer.
    vi.setSystemTime(here.expiresAt);
    expect(await again(ada)).toEqual({ ...here, receipt });
    expect(await confirm(ada, here.pendingId)).toEqual(receipt);
  });

  test("the same key starts another one when the first was swept", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const args = external();
    const { expiresAt } = await ada.as.mutation(api.transfers.startExternal, args);
    vi.setSystemTime(expiresAt + 2 * DAY_MS);
    await t.mutation(functions.transfers.sweepLapsed, {});
    const later = await signedIn(t, ada.userId);
    const { pendingId } = await later.as.mutation(api.transfers.startExternal, args);
    expect(await confirm(later, pendingId)).toMatchObject({ transferType: "external" });
  });

  test("funds, gate and restrictions are checked again before the code is used", async () => {
    const { pendingId } = await start(ada, { amountCents: 9_000n });
    await submit(ada, internal({ amountCents: 2_000n }));
    await expectRefusal(t, () => confirm(ada, pendingId), "INSUFFICIENT_FUNDS");
    await submit(ada, internal({ amountCents: 1n }));
    await expectRefusal(t, () => confirm(ada, pendingId, "000000"), "TRANSFER_BLOCKED");
  });

  test("is swept a day after it expired, however many there are", async () => {
    vi.useFakeTimers({ now: Date.now() });
    const { pendingId, expiresAt } = await start(ada);
    await t.run(async (ctx) => {
      const pending = await ctx.db.get("pendingTransfers", pendingId);
      if (pending === null) throw new Error("nothing is stored");
      const { _id, _creationTime, ...fields } = pending;
      for (let count = 1; count <= 200; count++) await ctx.db.insert("pendingTransfers", fields);
    });
    const leftAfterSweep = async () => {
      await t.mutation(functions.transfers.sweepLapsed, {});
      await t.finishAllScheduledFunctions(() => vi.runAllTimers());
      return await t.run(async (ctx) => (await ctx.db.query("pendingTransfers").take(500)).length);
    };
    vi.setSystemTime(expiresAt + DAY_MS);
    expect(await leftAfterSweep()).toBe(201);
    vi.setSystemTime(expiresAt + DAY_MS + 1);
    expect(await leftAfterSweep()).toBe(0);
  });
});
