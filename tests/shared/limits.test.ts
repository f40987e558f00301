/** Spec section 9. The numbers of the security concept are in tests/repo/securityNumbers.test.ts. */
import { expect, test } from "vitest";
import * as limits from "../../convex/shared/limits";

test("the business constants are those of the specification", () => {
  expect(limits).toMatchObject({
    AMOUNT_MIN_CENTS: 1n,
    MOBILE_DEPOSIT_MAX_CENTS: 1_000_000n,
    TRANSFERS_ALLOWED_MAX: 2,
    EXTERNAL_ACCOUNT_NUMBER_DIGITS_MIN: 8,
    EXTERNAL_ACCOUNT_NUMBER_DIGITS_MAX: 17,
    SWIFT_LENGTH_MIN: 8,
    SWIFT_LENGTH_MAX: 11,
    INTERNATIONAL_ACCOUNT_NUMBER_LENGTH_MIN: 8,
    INTERNATIONAL_ACCOUNT_NUMBER_LENGTH_MAX: 34,
    ADMIN_ACCOUNT_NUMBER_DIGITS: 10,
    NEW_ACCOUNT_NUMBER_DIGITS: 8,
    ROUTING_NUMBER_DIGITS: 9,
    RECENT_TRANSACTIONS_MAX: 20,
    STATEMENT_PERIODS_MAX: 13,
    CREDIT_CARD_LIMIT_CENTS: 500_000n,
    CREDIT_CARD_AVAILABLE_CENTS: 350_000n,
    CREDIT_CARD_REWARDS_POINTS: 2_500,
  });
});

test("what the pages show takes and lasts as long as specified", () => {
  expect(limits).toMatchObject({
    STATEMENT_DELAY_MS: 1_500,
    COPY_CONFIRMATION_MS: 2_000,
    EXTERNAL_SUCCESS_MS: 3_000,
    ADMIN_SUCCESS_MS: 3_000,
    COUNTER_TICK_MS: 20,
  });
});

test("public pages react to scrolling, count and promise as specified", () => {
  expect(limits).toMatchObject({
    SCROLL_TO_TOP_PX: 300,
    NAVIGATION_RESTYLE_PX: 10,
    ABOUT_COUNTERS: {
      members: 100_000,
      assetsMillionUsd: 2_500,
      satisfactionPercent: 98,
      branches: 25,
      communityImpactMillionUsd: 5,
    },
    RATES: {
      savingsApy: "3.50% APY",
      mortgagesApr: "3.99% APR",
      personalLoansApr: "5.99% APR",
      businessLoansApr: "4.99% APR",
      businessSavingsApy: "2.50% APY",
      creditCardApr: "0% APR for 15 months",
      creditCardCashBack: "2% cash back",
      businessCheckingTransactions: "500 free transactions",
    },
  });
});
