/** The hourly limit on changes that a member's own script could repeat without end. */
import { beforeEach, expect, test, vi } from "vitest";
import { api } from "../../convex/_generated/api";
import { issuePair } from "../../convex/model/cards";
import { addDays, dateOf } from "../../convex/shared/dates";
import { OWN_CHANGES_PER_PERSON_PER_HOUR_MAX } from "../../convex/shared/limits";
import { expectRefusal, external, freshKey } from "./moneySupport";
import { addCodes, newBackend, person, snapshot, type Backend, type Person } from "./support";

const NOON = Date.parse("2026-03-02T17:00:00Z");
const HOUR_MS = 3_600_000;
const ADDRESS = { street: "9 Oak Way", city: "Troy", state: "NY", postalCode: "12180" };

let t: Backend;
let ada: Person;
let cardId: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 10_000n });
  await t.run((ctx) => issuePair(ctx, ada.userId, NOON));
  await addCodes(t, "204816");
  cardId = (await ada.as.query(api.cards.listMine, {}))[0]?._id ?? "";
  return () => vi.useRealTimers();
});

const updateContact = () =>
  ada.as.mutation(api.profile.updateContact, { phone: "1", address: ADDRESS });
const lock = () => ada.as.mutation(api.cards.lock, { cardId });
const unlock = () => ada.as.mutation(api.cards.unlock, { cardId });
const schedule = () =>
  ada.as.mutation(api.billPayments.schedule, {
    fromAccount: "Checking",
    provider: "electric",
    accountNumber: "778899",
    amountCents: 1n,
    scheduleDate: addDays(dateOf(NOON), 1),
    requestKey: freshKey(),
  });

const startExternal = (args = external()) => ada.as.mutation(api.transfers.startExternal, args);

test("a member's own changes are limited, all kinds together, and allowed again later", async () => {
  await updateContact();
  // Changes not made in the meantime are not saved up.
  vi.setSystemTime(NOON + HOUR_MS / 12);
  const { billPaymentId } = await schedule();
  const begun = external();
  const { pendingId } = await startExternal(begun);
  await lock();
  await unlock();
  for (let made = 3; made < OWN_CHANGES_PER_PERSON_PER_HOUR_MAX; made++) await updateContact();
  await lock();
  for (const change of [schedule, startExternal, unlock, updateContact]) {
    await expectRefusal(t, change, "RATE_LIMITED");
  }
  // A started transfer can be finished, and protective and undoing changes are not limited.
  expect(await startExternal(begun)).toMatchObject({ pendingId });
  await ada.as.mutation(api.transfers.confirmExternal, { pendingId, code: "204816" });
  await ada.as.mutation(api.billPayments.cancel, { billPaymentId });
  await ada.as.mutation(api.profile.signOutEverywhereElse, {});
  await ada.as.mutation(api.cards.reportLost, { cardId });
  vi.setSystemTime(NOON + HOUR_MS / 2);
  await schedule();
});

test("signing out everywhere else adds no event when there was no other session", async () => {
  const before = await snapshot(t);
  expect(await ada.as.mutation(api.profile.signOutEverywhereElse, {})).toEqual({ count: 0 });
  expect(await snapshot(t)).toBe(before);
});
