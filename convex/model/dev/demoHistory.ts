/**
 * Years of invented, plausible account activity. Pure: a given day always has the same events,
 * whatever today is.
 *
 * Not here: posting them (model/dev/demoMember).
 */
import { addDays, dateOf, momentOf } from "../../shared/dates";
import type { Cents } from "../../shared/money";
import { billDescription } from "../../shared/texts";
import type { AccountType, BillProvider, Category } from "../../shared/validators";

/** One event on one account; a credit is positive. */
export type DemoEvent = {
  readonly atMs: number;
  readonly account: AccountType;
  readonly amountCents: Cents;
  readonly description: string;
  readonly category: Category;
  readonly reference?: string;
  /** A transfer to Savings: the other side is the person's own account. */
  readonly isToSavings?: boolean;
  /** A settled bill payment. */
  readonly bill?: { readonly provider: BillProvider; readonly accountNumber: string };
};

/** Before the first statement period (spec section 9: March 2024), so that it opens with a balance. */
export const HISTORY_FIRST_DATE = "2024-02-20";
/** The end of that section's last statement period. In later years, nothing happened for a while after it. */
const STATEMENTS_LAST_DATE = "2025-03-31";
/** Together with the statements' days, this bounds what one mutation writes and what was saved by then. */
const RECENT_DAYS = 790;

const SHOPS = ["Juniper Market", "Green Basket", "Corner Grocer", "Hillside Farm Shop"] as const;
const CAFES = ["Copper Kettle Cafe", "Noodle House", "Blue Door Bakery", "Taqueria Sol"] as const;
const STORES = ["Harbor Books", "Field & Loom", "Northside Hardware", "Paper Crane"] as const;
const OUTINGS = ["Palace Cinema", "City Museum", "Lakeside Bowling", "Riverside Concert"] as const;

/** A generator of numbers below 1 (mulberry32), seeded by a text. */
function generatorOf(seedText: string): () => number {
  let state = 0;
  for (const character of seedText) state = (Math.imul(state, 31) + character.charCodeAt(0)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Day = { readonly dateIso: string; readonly random: () => number };

const centsBetween = (day: Day, low: number, high: number): Cents =>
  BigInt(Math.round(low + day.random() * (high - low)));

const pick = (day: Day, names: readonly string[]): string =>
  names[Math.floor(day.random() * names.length)] ?? "";

function spent(
  day: Day,
  time: string,
  amountCents: Cents,
  category: Category,
  text: string,
): DemoEvent {
  return {
    atMs: momentOf(day.dateIso, time),
    account: "Checking",
    amountCents: -amountCents,
    description: text,
    category,
  };
}

function bill(
  day: Day,
  provider: BillProvider,
  amountCents: Cents,
  accountNumber: string,
): DemoEvent {
  return {
    ...spent(day, "06:10", amountCents, "Bill Pay", billDescription(provider)),
    bill: { provider, accountNumber },
  };
}

/** What happens on a day of the month: pay, rent, bills, saving, dividend. */
function monthlyEvents(day: Day, dayOfMonth: number): DemoEvent[] {
  const at = (time: string): number => momentOf(day.dateIso, time);
  switch (dayOfMonth) {
    case 1:
    case 15:
      return [
        {
          atMs: at("07:05"),
          account: "Checking",
          amountCents: 117_850n,
          description: "Payroll, Alder and Finch Design",
          category: "Income",
          reference: "Salary",
        },
      ];
    case 2:
      return [spent(day, "08:30", 118_000n, "Other", "Rent, Juniper Lane 42")];
    case 5:
      return [
        {
          atMs: at("09:15"),
          account: "Checking",
          amountCents: -25_000n,
          description: "Transfer to Savings",
          category: "Transfer",
          reference: "Monthly saving",
          isToSavings: true,
        },
      ];
    case 8:
      return [bill(day, "electric", centsBetween(day, 6_200, 10_400), "884210337")];
    case 12:
      return [bill(day, "internet", 5_999n, "20117745"), bill(day, "mobile", 4_500n, "5550100111")];
    case 20:
      return [bill(day, "insurance", 8_240n, "WM771204")];
    case 28:
      return [
        {
          atMs: at("05:00"),
          account: "Savings",
          amountCents: centsBetween(day, 2_600, 3_400),
          description: "Dividend",
          category: "Income",
        },
        spent(day, "12:40", 6_000n, "Withdrawal", "Cash withdrawal, Albany branch"),
      ];
    default:
      return [];
  }
}

/** What happens by day of the week, with some chance. */
function weeklyEvents(day: Day, weekday: number): DemoEvent[] {
  const events: DemoEvent[] = [];
  if (weekday === 6) {
    events.push(spent(day, "10:20", centsBetween(day, 4_200, 7_900), "Food", pick(day, SHOPS)));
  }
  if (weekday === 3 || weekday === 5) {
    events.push(spent(day, "12:35", centsBetween(day, 650, 2_400), "Food", pick(day, CAFES)));
  }
  if (weekday === 1) {
    events.push(spent(day, "08:05", 2_750n, "Transportation", "Capital Transit weekly pass"));
  }
  if (day.random() < 0.06) {
    events.push(
      spent(day, "17:25", centsBetween(day, 1_800, 7_600), "Shopping", pick(day, STORES)),
    );
  }
  if (day.random() < 0.05) {
    const amountCents = centsBetween(day, 1_200, 4_200);
    events.push(spent(day, "20:10", amountCents, "Entertainment", pick(day, OUTINGS)));
  }
  if (day.random() < 0.015) {
    const amountCents = centsBetween(day, 5_000, 18_000);
    const atMs = momentOf(day.dateIso, "15:45");
    const description = "Mobile check deposit";
    events.push({ atMs, account: "Checking", amountCents, description, category: "Deposit" });
  }
  return events;
}

/** Every event of the days with history, up to now, oldest first. */
export function demoEvents(nowMs: number): DemoEvent[] {
  const todayIso = dateOf(nowMs);
  const recentFrom = addDays(todayIso, -RECENT_DAYS);
  const events: DemoEvent[] = [];
  for (let dateIso = HISTORY_FIRST_DATE; dateIso <= todayIso; dateIso = addDays(dateIso, 1)) {
    if (dateIso > STATEMENTS_LAST_DATE && dateIso < recentFrom) continue;
    const day = { dateIso, random: generatorOf(dateIso) };
    const weekday = new Date(`${dateIso}T12:00:00Z`).getUTCDay();
    events.push(...monthlyEvents(day, Number(dateIso.slice(8))), ...weeklyEvents(day, weekday));
  }
  return events.filter((event) => event.atMs <= nowMs).sort((one, two) => one.atMs - two.atMs);
}

/** What the events do to each account; a transfer to Savings arrives there. */
export function demoNetCents(events: readonly DemoEvent[]): Record<AccountType, Cents> {
  const net: Record<AccountType, Cents> = { Checking: 0n, Savings: 0n };
  for (const event of events) {
    net[event.account] += event.amountCents;
    if (event.isToSavings === true) net.Savings -= event.amountCents;
  }
  return net;
}
