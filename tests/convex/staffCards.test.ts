/** Members' cards in the hands of staff: locked, reported lost, replaced for whoever calls without phone and wallet. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import { issuePair } from "../../convex/model/cards";
import type { CardStatus } from "../../convex/shared/validators";
import { bellOf, expectRefusal } from "./moneySupport";
import {
  admin,
  newBackend,
  person,
  refusalOf,
  snapshot,
  type Backend,
  type Person,
} from "./support";

const ISSUED = Date.parse("2024-03-02T17:00:00Z");

let t: Backend;
let root: Person;
let ada: Person;

beforeEach(async () => {
  t = newBackend();
  root = await admin(t);
  ada = await person(t, "ada@bank.example", { name: "Ada Ode" });
  await t.run((ctx) => issuePair(ctx, ada.userId, ISSUED));
});

const mine = () => ada.as.query(api.cards.listMine, {});
const seen = (userId: Id<"users"> = ada.userId) => root.as.query(api.admin.cards.list, { userId });
const cardOf = async (kind: "debit" | "credit") => {
  const card = (await seen()).cards.find((one) => one.kind === kind);
  if (card === undefined) throw new Error(`no ${kind} card`);
  return card;
};
const setStatus = (
  cardId: string,
  status: CardStatus,
  reason = "Knew her last payments",
  by = root,
) => by.as.mutation(api.admin.cards.setStatus, { cardId, status, reason });
const replace = (cardId: string, reason = "Knew her last payments", by = root) =>
  by.as.mutation(api.admin.cards.replace, { cardId, reason });
const lost = async (kind: "debit" | "credit") => {
  const card = await cardOf(kind);
  await setStatus(card._id, "Reported lost");
  return card;
};
const mails = async () => {
  const rows = await t.run((ctx) => ctx.db.query("outbox").take(9));
  return rows.map(({ to, subject, body }) => [to, subject, body.split("\n")[2]]);
};
const events = async () =>
  (await ada.as.query(api.profile.securityEvents, {})).map(({ text }) => text);

describe("what staff see", () => {
  test("type, last four digits, expiry, holder, status and since when; no balance", async () => {
    const { cards, replaced } = await seen();
    const shown = await mine();
    expect(cards).toEqual(
      shown.map(({ _id, kind, maskedNumber, expiry }) => ({
        ...{ _id, kind, expiry, status: "Active", holderName: "Ada Ode" },
        lastFour: maskedNumber.slice(-4),
      })),
    );
    expect(cards.map(({ kind }) => kind)).toEqual(["debit", "credit"]);
    expect(replaced).toEqual([]);
    await ada.as.mutation(api.cards.lock, { cardId: cards[1]?._id ?? "" });
    const credit = await cardOf("credit");
    expect(credit).toMatchObject({
      status: "Locked",
      statusChangedAt: expect.any(Number) as number,
    });
  });

  test("somebody without cards has none, and nobody else's are listed", async () => {
    const ben = await person(t, "ben@bank.example");
    expect(await seen(ben.userId)).toEqual({ cards: [], replaced: [] });
  });
});

describe("a card at the desk", () => {
  test("is locked and unlocked, and its holder is told each time", async () => {
    const { _id, lastFour } = await cardOf("debit");
    await setStatus(_id, "Locked");
    expect((await mine()).map(({ status }) => status)).toEqual(["Locked", "Active"]);
    expect(await cardOf("debit")).toHaveProperty("statusChangedAt");
    await setStatus(_id, "Active");
    expect((await mine())[0]?.status).toBe("Active");
    const card = `your debit card ending ${lastFour}`;
    expect(await bellOf(ada)).toEqual([`Our staff unlocked ${card}.`, `Our staff locked ${card}.`]);
    expect(await events()).toEqual([`Staff unlocked ${card}.`, `Staff locked ${card}.`]);
    expect(await mails()).toEqual([
      [ada.email, "Card locked", expect.stringContaining(`locked ${card}. If you did not request`)],
      [ada.email, "Card unlocked", expect.stringContaining(`unlocked ${card}. If you did not`)],
    ]);
  });

  test("is reported lost for good; asking again says nothing twice", async () => {
    const { _id, lastFour } = await lost("credit");
    expect((await mine())[1]?.status).toBe("Reported lost");
    const before = await snapshot(t);
    await setStatus(_id, "Reported lost");
    expect(await snapshot(t)).toBe(before);
    expect(await bellOf(ada)).toEqual([
      `Our staff reported your credit card ending ${lastFour} lost.`,
    ]);
    await expectRefusal(t, () => setStatus(_id, "Active"), "CARD_CHANGE_REFUSED");
    await expectRefusal(t, () => setStatus(_id, "Locked"), "CARD_CHANGE_REFUSED");
    await expectRefusal(
      t,
      () => ada.as.mutation(api.cards.unlock, { cardId: _id }),
      "CARD_CHANGE_REFUSED",
    );
  });
});

describe("a replacement", () => {
  test("has a new number and expiry, and takes the lost card's place in the member's list", async () => {
    await t.run(async (ctx) => {
      const { _id } = await cardOf("credit");
      await ctx.db.patch("cards", _id, {
        limitCents: 700_000n,
        availableCents: 123n,
        rewardsPoints: 9,
      });
    });
    const [debit, credit] = await mine();
    const old = await lost("credit");
    const { lastFour } = await replace(old._id);
    const [sameDebit, issued, ...others] = await mine();
    expect(others).toEqual([]);
    expect(sameDebit).toEqual(debit);
    expect(issued).toEqual({
      ...credit,
      _id: issued?._id,
      maskedNumber: `•••• •••• •••• ${lastFour}`,
      expiry: issued?.expiry,
    });
    expect([issued?._id, issued?.expiry, lastFour]).not.toContain(old._id);
    expect(issued?._id).not.toBe(old._id);
    expect(issued?.expiry).not.toBe(old.expiry);
    expect(lastFour).not.toBe(old.lastFour);
    expect(await cardOf("credit")).not.toHaveProperty("statusChangedAt");
    expect((await seen()).replaced).toEqual([
      {
        _id: old._id,
        kind: "credit",
        lastFour: old.lastFour,
        replacedAt: expect.any(Number) as number,
      },
    ]);
    await ada.as.mutation(api.cards.lock, { cardId: issued?._id ?? "" });
  });

  test("of the debit card stays first, linked to Checking; both can be replaced, again too", async () => {
    for (const kind of ["debit", "credit", "debit"] as const) {
      const old = await lost(kind);
      await replace(old._id);
      const cards = await mine();
      expect(cards.map((card) => [card.kind, card.status, card.linkedAccount])).toEqual([
        ["debit", "Active", "Checking"],
        ["credit", "Active", undefined],
      ]);
    }
    expect((await seen()).replaced.map(({ kind }) => kind)).toEqual(["debit", "credit", "debit"]);
    // An approval after a rejection issues none.
    await t.run((ctx) => issuePair(ctx, ada.userId, Date.now()));
    expect(await mine()).toHaveLength(2);
  });

  test("is listed with the newest five that were replaced", async () => {
    const numbers: string[] = [];
    for (let count = 0; count < 6; count++) {
      const old = await lost("debit");
      numbers.unshift(old.lastFour);
      await replace(old._id);
    }
    expect((await seen()).replaced.map(({ lastFour }) => lastFour)).toEqual(numbers.slice(0, 5));
  });

  test("ends otherwise than the lost card, whatever chance says first", async () => {
    const old = await lost("debit");
    // The draws that give the old digits again: the first is one of nine, the others of ten.
    const [first = 0, ...others] = [...old.lastFour].map(Number);
    const shares = [(first - 0.5) / 9, ...others.map((digit) => (digit + 0.5) / 10)];
    const draws = shares.map((share) => Math.floor(share * 2 ** 30));
    const drawn = crypto.getRandomValues.bind(crypto);
    vi.spyOn(crypto, "getRandomValues").mockImplementation((values) => {
      if (values instanceof Uint32Array && draws.length > 0) values.set([draws.shift() ?? 0]);
      else drawn(values);
      return values;
    });
    const { lastFour } = await replace(old._id);
    vi.restoreAllMocks();
    expect(draws).toEqual([]);
    expect(lastFour).not.toBe(old.lastFour);
  });

  test("is told in the bell, on the security page and by e-mail", async () => {
    const old = await lost("debit");
    const { lastFour } = await replace(old._id);
    const done = `replaced your debit card ending ${old.lastFour} with one ending ${lastFour}.`;
    expect((await bellOf(ada))[0]).toBe(`Our staff ${done}`);
    expect((await events())[0]).toBe(`Staff ${done}`);
    expect((await mails())[1]).toEqual([
      ada.email,
      "New card issued",
      expect.stringContaining(`Our staff ${done} If you did not request it, call us at once`),
    ]);
  });

  test("is issued once, however often it is asked for", async () => {
    const { _id } = await lost("debit");
    const outcomes = await Promise.allSettled([replace(_id), replace(_id)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expectRefusal(t, () => replace(_id), "CARD_NOT_REPLACEABLE");
    await expectRefusal(t, () => setStatus(_id, "Active"), "CARD_CHANGE_REFUSED");
    expect(await mine()).toHaveLength(2);
    expect(await t.run((ctx) => ctx.db.query("cards").take(9))).toHaveLength(3);
  });
});

test("refuses in its order of precedence, and changes nothing", async () => {
  await t.run((ctx) => issuePair(ctx, root.userId, ISSUED));
  const own = (await seen(root.userId)).cards[0]?._id ?? "";
  const debit = await cardOf("debit");
  const credit = await lost("credit");
  await setStatus(debit._id, "Locked");
  await t.run((ctx) => ctx.db.patch("users", ada.userId, { status: "rejected", role: "pending" }));
  const before = await snapshot(t);
  const cases: [Promise<unknown>, string][] = [
    [setStatus("x", "Locked", ""), "NOT_FOUND"],
    [setStatus(own, "Locked", ""), "OWN_ACCOUNT_FORBIDDEN"],
    [setStatus(credit._id, "Active", " "), "REASON_REQUIRED"],
    [setStatus(credit._id, "Active", "\u0007"), "INVALID_TEXT"],
    [setStatus(credit._id, "Active"), "CARD_CHANGE_REFUSED"],
    [setStatus(debit._id, "Active"), "CARD_FOR_MEMBERS_ONLY"],
    [replace("x", ""), "NOT_FOUND"],
    [replace(own, ""), "OWN_ACCOUNT_FORBIDDEN"],
    [replace(debit._id, " "), "REASON_REQUIRED"],
    [replace(debit._id, "\u0007"), "INVALID_TEXT"],
    [replace(debit._id), "CARD_NOT_REPLACEABLE"],
    [replace(credit._id), "CARD_FOR_MEMBERS_ONLY"],
  ];
  for (const [call, code] of cases) expect(await refusalOf(call), code).toBe(code);
  expect(await snapshot(t)).toBe(before);
});

test("a rejected member's card can still be locked and reported lost", async () => {
  const { _id } = await cardOf("debit");
  await t.run((ctx) => ctx.db.patch("users", ada.userId, { status: "rejected", role: "pending" }));
  await setStatus(_id, "Locked");
  await setStatus(_id, "Reported lost");
  expect((await cardOf("debit")).status).toBe("Reported lost");
});
