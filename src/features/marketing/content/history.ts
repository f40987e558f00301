import { ABOUT_COUNTERS } from "#shared/limits";

interface Milestone {
  readonly year: number;
  readonly title: string;
  readonly text: string;
}

/** Fifty years of the (fictional) institution, oldest first (spec section 2 "Public pages"). */
export const MILESTONES: readonly Milestone[] = [
  {
    year: 1973,
    title: "A desk in a school library",
    text: "Forty-one teachers and harbor workers put five dollars each into one account and lend it to each other.",
  },
  {
    year: 1981,
    title: "The first branch",
    text: "The desk becomes a storefront on Quay Street, open two evenings a week for people on shifts.",
  },
  {
    year: 1990,
    title: "Homes for members",
    text: "Our first mortgage. The family paid it off in 2015 and still banks with us.",
  },
  {
    year: 1999,
    title: "Accounts online",
    text: "Balances and transfers on the web, at a time when most members still called us for both.",
  },
  {
    year: 2008,
    title: "Steady in a bad year",
    text: "We keep lending through the crisis. Nobody loses a deposit, and no member loses a home without a talk first.",
  },
  {
    year: 2014,
    title: "The community fund",
    text: "One percent of each year's surplus goes to local projects that members choose by vote.",
  },
  {
    year: 2019,
    title: "Banking in a pocket",
    text: "Deposit a check by photo, lock a card, pay a bill: the branch moves into the phone.",
  },
  {
    year: 2023,
    title: "Fifty years",
    text: "The five-dollar account has become a credit union that belongs to everyone who banks with it.",
  },
];

export interface Counter {
  readonly label: string;
  readonly target: number;
  readonly prefix: string;
  readonly suffix: string;
}

/** The counters of /about (spec section 9). */
export const COUNTERS: readonly Counter[] = [
  { label: "members", target: ABOUT_COUNTERS.members, prefix: "", suffix: "" },
  { label: "in assets", target: ABOUT_COUNTERS.assetsMillionUsd, prefix: "$", suffix: "M" },
  {
    label: "member satisfaction",
    target: ABOUT_COUNTERS.satisfactionPercent,
    prefix: "",
    suffix: "%",
  },
  { label: "branches", target: ABOUT_COUNTERS.branches, prefix: "", suffix: "" },
  {
    label: "community impact",
    target: ABOUT_COUNTERS.communityImpactMillionUsd,
    prefix: "$",
    suffix: "M",
  },
];

/** A counter's value as displayed: "$2,500M". */
export function counterText(counter: Counter, value: number = counter.target): string {
  return `${counter.prefix}${value.toLocaleString("en-US")}${counter.suffix}`;
}
